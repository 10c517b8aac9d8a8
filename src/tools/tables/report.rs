//! `alfonso tables report`.

use std::io::{Write, stdout};
use std::path::Path;

use anyhow::ensure;
use rayon::prelude::*;

use super::shelf::Shelf;
use crate::draughts::tables::index::Layout;
use crate::draughts::tables::library::Source;
use crate::draughts::tables::{Balance, Library};
use crate::draughts::{Move, Position};
use crate::game::{Color, MoveList, Position as _};

/// What is in a table, positions with a capture to make included.
#[derive(Clone, Copy, Default)]
struct Count {
    won: u64,
    drawn: u64,
    lost: u64,
    /// The most plies to a conversion of a won position, and the first such position.
    longest: Option<(u32, usize)>,
}

impl Count {
    fn of(library: &Library, layout: &Layout, index: usize) -> Count {
        let value = library.value(&layout.board(index).position()).expect("the tables are there");
        Count {
            won: value.is_win().into(),
            drawn: value.is_draw().into(),
            lost: value.is_loss().into(),
            longest: value.is_win().then(|| (value.plies(), index)),
        }
    }

    fn and(self, other: Count) -> Count {
        // Of equals the first: they come in order.
        let longest = match (self.longest, other.longest) {
            (Some(one), Some(other)) if other.0 > one.0 => Some(other),
            (one, other) => one.or(other),
        };
        Count {
            won: self.won + other.won,
            drawn: self.drawn + other.drawn,
            lost: self.lost + other.lost,
            longest,
        }
    }
}

/// Tells of every balance up to `pieces` pieces, for each side to move: positions, how many of them are won,
/// drawn and lost, and the longest way to a conversion with a line of best play.
///
/// # Errors
/// Where there is no table, or one is damaged. Balances that lead to missing tables are left out.
pub fn report(folder: Option<&Path>, pieces: u32) -> anyhow::Result<()> {
    let mut shelf = Shelf::of(folder)?;
    let mut out = stdout().lock();
    let all = (2..=pieces).flat_map(Balance::all);
    let mut there: Vec<_> = all.filter(|&balance| shelf.has(balance)).collect();
    ensure!(!there.is_empty(), "there are no tables");
    // Captures and lines of play go through many balances.
    there.retain(|&balance| match shelf.lacks(balance) {
        Some(missing) => {
            eprintln!("{balance} is left out: there is no table of {missing}, to which it leads");
            false
        }
        None => true,
    });
    ensure!(!there.is_empty(), "nothing is left to report on");
    for &balance in &there {
        shelf.need(balance)?;
    }
    writeln!(out, "to move-other  positions     won   drawn    lost  plies  longest win")?;
    for balance in there {
        for side in if balance.is_even() { vec![balance] } else { vec![balance, balance.turned()] } {
            let library = &shelf.library;
            let layout = &library.get(side).expect("it was asked for").layout;
            let count = (0..layout.len())
                .into_par_iter()
                .fold(Count::default, |count, index| count.and(Count::of(library, layout, index)))
                .reduce(Count::default, Count::and);
            let share = |part: u64| format!("{:6.2}%", 100.0 * part as f64 / layout.len() as f64);
            let (won, drawn, lost) = (share(count.won), share(count.drawn), share(count.lost));
            write!(out, "{side:13} {:10} {won} {drawn} {lost}", layout.len())?;
            match count.longest {
                None => writeln!(out)?,
                Some((plies, index)) => {
                    let position = layout.board(index).position();
                    let line = best_line(library, position);
                    writeln!(out, "  {plies:5}  {} {}", position.fen(), notation(position, &line))?;
                }
            }
        }
    }
    Ok(())
}

/// Best play to the end: the winner goes for the next conversion and prefers the one that leaves the least to
/// do, the loser puts it off.
fn best_line(library: &Library, mut position: Position) -> Vec<Move> {
    let mut line = Vec::new();
    loop {
        let mut moves = MoveList::new();
        position.legal_moves(&mut moves);
        let worth = |m: &Move| -> (i32, i32) {
            let mut next = position;
            next.play(*m);
            let value = library.value(&next).expect("the tables are there");
            let after = -value.rank();
            (value.before(position.is_noisy(*m)).rank(), after)
        };
        let best = moves.iter().copied().max_by_key(worth);
        match best {
            Some(m) if position.ending_at_sight().is_none() => {
                line.push(m);
                position.play(m);
            }
            _ => return line,
        }
    }
}

/// The moves with their numbers, as books write them.
fn notation(mut position: Position, line: &[Move]) -> String {
    let mut text = String::new();
    for m in line {
        if position.side_to_move() == Color::White {
            text += &format!("{}. ", position.move_number());
        }
        text += &position.notation(*m);
        text.push(' ');
        position.play(*m);
    }
    let plies = if line.len() == 1 { "ply" } else { "plies" };
    text + &format!("({} {plies})", line.len())
}
