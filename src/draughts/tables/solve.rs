//! Fills the tables of a balance.
//!
//! Both sides to move are solved together, one *slice* at a time: the men stand still, and only kings
//! move. A man's step leads to a slice that is further advanced by a row, so that the slices are solved
//! from the most advanced on; those equally far do not depend on each other and go to all threads. Inside a slice,
//! what leads out of it (captures, crownings, steps of men) is looked up first; then wins and losses
//! spread backwards along the kings' moves, by rising plies.

use std::cmp::Ordering;
use std::sync::atomic::{AtomicBool, AtomicU8, Ordering::Relaxed};

use rayon::prelude::*;

use super::balance::Balance;
use super::index::{Board, Layout, choose, compress, expand, rank, sets};
use super::library::{Library, Source, Table};
use super::value::Value;
use crate::draughts::moves::{Move, forward};
use crate::draughts::position::Position;
use crate::draughts::squares::{Direction, Square, Squares, slide};
use crate::game::{Color, Position as _};

/// A table that is being filled by all threads.
struct Draft {
    layout: Layout,
    bytes: Vec<AtomicU8>,
}

impl Draft {
    fn new(balance: Balance) -> Draft {
        let layout = Layout::new(balance);
        let bytes = std::iter::repeat_with(|| AtomicU8::new(UNKNOWN)).take(layout.len()).collect();
        Draft { layout, bytes }
    }

    fn finish(self) -> Table {
        Table { layout: self.layout, bytes: self.bytes.into_iter().map(AtomicU8::into_inner).collect() }
    }
}

/// Not solved yet; no value's byte.
const UNKNOWN: u8 = u8::MAX;

/// The tables of a balance, for one side to move and for the other (one table where both have the same).
/// `library` holds the tables of all balances with fewer pieces, and of those that a crowning leads to.
/// Tells `progress` how many positions more are solved, of all in these tables; `None` where `stop` was set.
///
/// The tables hold a value for every position, those with a capture to make included.
pub fn solve(
    balance: Balance,
    library: &Library,
    stop: &AtomicBool,
    progress: &(dyn Fn(u64) + Sync),
) -> Option<Vec<Table>> {
    let mut drafts = vec![Draft::new(balance)];
    if !balance.is_even() {
        drafts.push(Draft::new(balance.turned()));
    }
    let even = balance.is_even();
    let work = Work { library, drafts: [&drafts[0], drafts.last().expect("one at least")] };
    for layer in layers(&drafts[0].layout) {
        let stopped = layer.into_par_iter().map_init(Slice::default, |slice, men| {
            if stop.load(Relaxed) {
                return true;
            }
            slice.solve(&work, men);
            // A slice that is its own mirror image is solved twice and fills one slice.
            let alone = even && compare_mirrored(men).is_eq();
            progress((if alone { 1 } else { 2 } * work.drafts[0].layout.slice_len()) as u64);
            false
        });
        if stopped.any(|stopped| stopped) {
            return None;
        }
    }
    Some(drafts.into_iter().map(Draft::finish).collect())
}

/// The slices by how far the men have come, the furthest first. Of two slices that are the same with the
/// sides changed there is one.
fn layers(layout: &Layout) -> Vec<Vec<[Squares; 2]>> {
    let even = layout.balance().is_even();
    let mut layers = vec![Vec::new(); 6 * layout.balance().all_men() as usize + 1];
    for slice in 0..layout.slices() {
        let men = layout.men(slice);
        if even && compare_mirrored(men).is_lt() {
            continue;
        }
        let rows = |set: Squares| set.into_iter().map(|square| square.row() as usize).sum::<usize>();
        let advance = rows(men[0]) + 7 * men[1].count() as usize - rows(men[1]);
        layers[advance].push(men);
    }
    layers.reverse();
    layers
}

/// How the men compare with themselves seen from the other side.
fn compare_mirrored(men: [Squares; 2]) -> Ordering {
    (men[1].turned().0, men[0].turned().0).cmp(&(men[0].0, men[1].0))
}

struct Work<'a> {
    library: &'a Library,
    /// With White to move, and with Black to move.
    drafts: [&'a Draft; 2],
}

impl Work<'_> {
    /// The value of a position of the balance itself, in a slice that is solved.
    fn solved(&self, position: &Position) -> Value {
        let draft = self.drafts[position.side().index()];
        let byte = draft.bytes[draft.layout.index(&Board::of(position))].load(Relaxed);
        Value::from_byte(byte).expect("the slices ahead are solved")
    }
}

/// One slice at work; kept for the next one, to save allocations. By side to move, 0 for White.
///
/// Here the kings of both sides are numbered on all squares without men, so that a king's move changes
/// the number of one side alone; numbers where kings of both sides share a square are never looked at.
#[derive(Default)]
struct Slice {
    men: [Squares; 2],
    /// The kings of a side, by their number.
    kings: [Vec<Squares>; 2],
    /// Value bytes, [`UNKNOWN`] to begin with.
    values: [Vec<u8>; 2],
    /// Moves that are not known to lose; one more where another move keeps the side from losing.
    open: [Vec<u8>; 2],
    /// The most plies of the moves that lead out of the slice and lose.
    least: [Vec<u8>; 2],
    /// Positions won by a capture, which is one ply.
    taken: Vec<Place>,
    /// By plies: positions that a move out of the slice wins, and others that may be won sooner.
    wins: Vec<Vec<Place>>,
    /// By plies: positions that were found to be lost.
    losses: Vec<Vec<Place>>,
}

/// A position of a slice: twice its number, 1 more with Black to move.
type Place = u32;

impl Slice {
    fn solve(&mut self, work: &Work, men: [Squares; 2]) {
        self.begin(work, men);
        self.look_out(work);
        self.spread();
        self.write(work);
    }

    fn begin(&mut self, work: &Work, men: [Squares; 2]) {
        self.men = men;
        let all_men = men[0] | men[1];
        let free = 32 - all_men.count();
        for side in 0..2 {
            let count = work.drafts[0].layout.balance().kings[side].into();
            self.kings[side].clear();
            self.kings[side].extend(sets(free, count).map(|set| Squares(expand(set, all_men.0))));
        }
        let size = self.kings[0].len() * self.kings[1].len();
        for side in 0..2 {
            for (bytes, byte) in
                [(&mut self.values[side], UNKNOWN), (&mut self.open[side], 0), (&mut self.least[side], 0)]
            {
                bytes.clear();
                bytes.resize(size, byte);
            }
        }
        self.taken.clear();
        self.wins.iter_mut().for_each(Vec::clear);
        self.losses.iter_mut().for_each(Vec::clear);
    }

    /// Looks up what leads out of the slice, and counts the moves that do not.
    fn look_out(&mut self, work: &Work) {
        let mut number = 0;
        for white in 0..self.kings[0].len() {
            for black in 0..self.kings[1].len() {
                let kings = [self.kings[0][white], self.kings[1][black]];
                if !kings[0].meets(kings[1]) {
                    for side in [Color::White, Color::Black] {
                        let position = Position::set_up(self.men, kings, side, Default::default());
                        self.look_out_of(work, &position, number);
                    }
                }
                number += 1;
            }
        }
    }

    fn look_out_of(&mut self, work: &Work, position: &Position, number: usize) {
        let side = position.side().index();
        let place = 2 * number as Place + side as Place;
        if position.must_capture() {
            let value = work.library.value(position).expect("the tables that captures lead to are there");
            self.values[side][number] = value.byte();
            if value.is_win() {
                self.taken.push(place);
            } else if value.is_loss() {
                push(&mut self.losses, value.plies(), place);
            }
            return;
        }
        let occupied = position.occupied();
        let kings = position.kings(position.side()).into_iter().map(|king| reach(king, occupied).count());
        let mut open = kings.sum::<u32>() as u8;
        // The best and the worst of the steps of men.
        let mut win: Option<Value> = None;
        let mut least = 0;
        let mut held = false;
        let men = position.men(position.side());
        for direction in forward(position.side() == Color::White) {
            for to in men.step(direction).without(occupied) {
                let from = to.neighbour(direction.opposite()).expect("a man came from there");
                let m = Move { captured: Squares::EMPTY, from, to };
                let mut next = *position;
                next.play(m);
                let crowning = position.crowns(m);
                let value = match crowning {
                    true => work.library.value(&next).expect("the tables that crownings lead to are there"),
                    false => work.solved(&next),
                };
                let value = value.before(crowning);
                if value.is_loss() {
                    least = least.max(value.plies());
                } else {
                    held = true;
                }
                if value.is_win() && win.is_none_or(|win| win.rank() < value.rank()) {
                    win = Some(value);
                }
            }
        }
        open += held as u8;
        self.open[side][number] = open;
        self.least[side][number] = least as u8;
        if let Some(win) = win {
            push(&mut self.wins, win.plies(), place);
        } else if open == 0 {
            // Blocked, or all steps lose.
            self.values[side][number] = Value::loss(least).byte();
            push(&mut self.losses, least, place);
        }
    }

    /// Wins and losses spread backwards along the kings' moves.
    fn spread(&mut self) {
        let mut won = Vec::new();
        let mut plies = 0;
        while (plies as usize) < self.wins.len().max(self.losses.len()).max(2) || !won.is_empty() {
            // --- Wins by moves out of the slice, and those that a lost position gave ---
            let value = Value::win(plies).byte();
            for place in take(&mut self.wins, plies) {
                let (side, number) = split(place);
                if self.values[side][number] == UNKNOWN {
                    self.values[side][number] = value;
                    won.push(place);
                }
            }
            if plies == 1 {
                won.append(&mut self.taken);
            }
            for place in std::mem::take(&mut won) {
                self.before(place, |slice, side, number| {
                    let open = &mut slice.open[side][number];
                    *open -= 1;
                    if *open == 0 {
                        let plies = u32::from(slice.least[side][number]).max(plies + 1);
                        slice.values[side][number] = Value::loss(plies).byte();
                        push(&mut slice.losses, plies, 2 * number as Place + side as Place);
                    }
                });
            }
            // --- Losses ---
            let value = Value::win(plies + 1).byte();
            for place in take(&mut self.losses, plies) {
                self.before(place, |slice, side, number| {
                    slice.values[side][number] = value;
                    won.push(2 * number as Place + side as Place);
                });
            }
            plies += 1;
        }
    }

    /// Tells of each position, not decided yet, from which a king's move leads to `place`.
    fn before(&mut self, place: Place, mut tell: impl FnMut(&mut Slice, usize, usize)) {
        let (to_move, number) = split(place);
        let columns = self.kings[1].len();
        let (white, black) = (number / columns, number % columns);
        let all_men = self.men[0] | self.men[1];
        let occupied = all_men | self.kings[0][white] | self.kings[1][black];
        let side = 1 - to_move;
        let kings = if side == 0 { self.kings[0][white] } else { self.kings[1][black] };
        for king in kings {
            let others = kings.without(king.set());
            for from in reach(king, occupied) {
                let kings = rank(compress((others | from.set()).0, all_men.0));
                let before = if side == 0 { kings * columns + black } else { white * columns + kings };
                if self.values[side][before] == UNKNOWN {
                    tell(self, side, before);
                }
            }
        }
    }

    /// Writes the values into the tables; what was never decided is a draw.
    fn write(&self, work: &Work) {
        let [white_draft, black_draft] = work.drafts;
        let mut index = white_draft.layout.slice_of(self.men) * white_draft.layout.slice_len();
        let mut number = 0;
        let byte = |value: u8| if value == UNKNOWN { Value::DRAW.byte() } else { value };
        let turned_men = [self.men[1].turned(), self.men[0].turned()];
        let all_men = turned_men[0].0 | turned_men[1].0;
        let first = black_draft.layout.slice_of(turned_men) * black_draft.layout.slice_len();
        let balance = black_draft.layout.balance();
        let free = 32 - balance.all_men() - u32::from(balance.kings[0]);
        let row = choose(free, balance.kings[1].into());
        for &white in &self.kings[0] {
            let other = white.turned().0;
            for &black in &self.kings[1] {
                if !white.meets(black) {
                    // With White to move they come in the order of their numbers.
                    white_draft.bytes[index].store(byte(self.values[0][number]), Relaxed);
                    index += 1;
                    let own = black.turned().0;
                    let place = rank(compress(own, all_men)) * row + rank(compress(other, all_men | own));
                    black_draft.bytes[first + place].store(byte(self.values[1][number]), Relaxed);
                }
                number += 1;
            }
        }
    }
}

/// Where a king can go.
#[inline(always)]
fn reach(king: Square, occupied: Squares) -> Squares {
    Direction::ALL
        .into_iter()
        .fold(Squares::EMPTY, |targets, direction| targets | slide(king, direction, occupied).0)
}

fn split(place: Place) -> (usize, usize) {
    (place as usize % 2, place as usize / 2)
}

fn push(lists: &mut Vec<Vec<Place>>, plies: u32, place: Place) {
    let plies = plies as usize;
    if lists.len() <= plies {
        lists.resize_with(plies + 1, Vec::new);
    }
    lists[plies].push(place);
}

fn take(lists: &mut [Vec<Place>], plies: u32) -> Vec<Place> {
    lists.get_mut(plies as usize).map(std::mem::take).unwrap_or_default()
}
