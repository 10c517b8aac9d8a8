//! FEN: a position as a line of text.
//!
//! `<12 ranks> <w|b> <leap rights> - <half-moves> <move number>`. An empty run is a decimal number,
//! two digits are one number. The fourth field belongs to en passant in other games and is always `-`.

use std::fmt::Write;

use crate::game::{Color, FenError, excerpt};

use super::Rules;
use super::pieces::{Kind, man_letter};
use super::position::Position;
use super::squares::{SIDE, Square};

/// The array, White to move.
pub const START: &str =
    "rlugcakcgulr/12/12/pppppppppppp/12/12/12/12/PPPPPPPPPPPP/12/12/RLUGCAKCGULR w Kk - 0 1";

const PIECES: &str = "12 ranks from the twelfth down, separated by '/', each of letters KAUGCLRP (White) and \
                      kaugclrp (Black) and numbers 1 to 12 for empty squares; one king a side, no pawn on \
                      rank 1 or 12";
const SIDES: &str = "w or b, and the other side not in check";
const LEAP_RIGHTS: &str = "-, or K and k (or the letter of its file) for a king that has never moved and \
                           stands on rank 1 (White) or 12 (Black)";
const EN_PASSANT: &str = "-";
const HALF_MOVES: &str = "a number from 0 to 65535";
const MOVE_NUMBER: &str = "a number from 1 to 4294967295, and nothing after it";

/// Reads a FEN. Beyond the form that [`write()`] gives: fields four to six may be missing, or the
/// fourth alone; a rank may be too short; leap rights may be `KQkq`, in which Q says nothing, or the
/// letter of the file of the king.
pub fn read(fen: &str, rules: Rules) -> Result<Position, FenError> {
    let mut fields = fen.split_whitespace().peekable();
    let mut position = read_pieces(fields.next().unwrap_or_default(), rules)?;

    match fields.next() {
        Some("w") => {}
        Some("b") => position.switch_sides(),
        other => return Err(error("side to move", got(other), SIDES)),
    }
    let other_side = !position.side();
    if position.is_in_check(other_side) {
        let problem = format!("{other_side} is in check, and it is {}'s move", position.side());
        return Err(error("side to move", problem, SIDES));
    }

    read_leap_rights(fields.next(), &mut position)?;

    // Where this field is missing, a number follows at once.
    if fields.peek().is_some_and(|field| !is_number(field)) {
        let field = fields.next();
        if field != Some("-") {
            return Err(error("en passant", got(field), EN_PASSANT));
        }
    }
    let clock = fields.next().map_or(Ok(0), |field| {
        number(field).ok_or_else(|| error("half-moves", got(Some(field)), HALF_MOVES))
    })?;
    let move_number = fields.next().map_or(Ok(1), |field| {
        number(field).filter(|&n| n >= 1).ok_or_else(|| error("move number", got(Some(field)), MOVE_NUMBER))
    })?;
    if let Some(field) = fields.next() {
        let problem = format!("'{}' after it", excerpt(field));
        return Err(error("move number", problem, MOVE_NUMBER));
    }
    position.set_counters(clock, move_number);
    Ok(position)
}

/// Writes the FEN of a position.
pub fn write(position: &Position) -> String {
    let mut fen = String::new();
    for rank in (0..SIDE).rev() {
        let mut empty = 0;
        for file in 0..SIDE {
            match position.man_on(Square::new(file, rank)) {
                None => empty += 1,
                Some((color, kind)) => {
                    push_empty(&mut fen, &mut empty);
                    fen.push(man_letter(color, kind));
                }
            }
        }
        push_empty(&mut fen, &mut empty);
        fen.push(if rank > 0 { '/' } else { ' ' });
    }
    let side = match position.side() {
        Color::White => 'w',
        Color::Black => 'b',
    };
    let leap_rights = match [Color::White, Color::Black].map(|color| position.may_leap(color)) {
        [true, true] => "Kk",
        [true, false] => "K",
        [false, true] => "k",
        [false, false] => "-",
    };
    write!(fen, "{side} {leap_rights} - {} {}", position.clock(), position.number())
        .expect("a String takes all that is written");
    fen
}

fn push_empty(fen: &mut String, empty: &mut u8) {
    if *empty > 0 {
        fen.push_str(&empty.to_string());
        *empty = 0;
    }
}

fn read_pieces(field: &str, rules: Rules) -> Result<Position, FenError> {
    let error = |problem| error("pieces", problem, PIECES);
    let ranks: Vec<&str> = field.split('/').collect();
    if field.is_empty() {
        return Err(error("it is missing".into()));
    }
    if ranks.len() != usize::from(SIDE) {
        return Err(error(format!("{} ranks", ranks.len())));
    }
    let mut men = Vec::new();
    for (rank, text) in (0..SIDE).rev().zip(ranks) {
        men.extend(read_rank(rank, text).map_err(error)?);
    }
    let king = |color| {
        let kings: Vec<_> = men.iter().filter(|man| (man.0, man.1) == (color, Kind::King)).collect();
        match kings[..] {
            [&(_, _, square)] => Ok(square),
            [] => Err(error(format!("{color} has no king"))),
            _ => Err(error(format!("{color} has {} kings", kings.len()))),
        }
    };
    let mut position = Position::of_kings(king(Color::White)?, king(Color::Black)?, rules);
    for (color, kind, square) in men {
        match kind {
            Kind::King => {}
            Kind::Pawn if [0, SIDE - 1].contains(&square.rank()) => {
                return Err(error(format!("a pawn on {square}")));
            }
            _ => position.put(color, kind, square),
        }
    }
    Ok(position)
}

/// The men of one rank, or what is wrong with it.
fn read_rank(rank: u8, text: &str) -> Result<Vec<(Color, Kind, Square)>, String> {
    let wrong = |what: String| Err(format!("rank {} '{}': {what}", rank + 1, excerpt(text)));
    let mut men = Vec::new();
    let mut file = 0;
    let mut rest = text;
    while let Some(letter) = rest.chars().next() {
        let digits = rest.len() - rest.trim_start_matches(|c: char| c.is_ascii_digit()).len();
        if digits > 0 {
            match rest[..digits].parse() {
                Ok(empty @ 1..=SIDE) if !rest.starts_with('0') => file += empty,
                _ => return wrong(format!("{} empty squares", excerpt(&rest[..digits]))),
            }
            rest = &rest[digits..];
        } else {
            let Some(kind) = Kind::from_letter(letter) else {
                return wrong(format!("unknown letter '{}'", excerpt(&letter.to_string())));
            };
            let color = if letter.is_ascii_uppercase() { Color::White } else { Color::Black };
            if file < SIDE {
                men.push((color, kind, Square::new(file, rank)));
            }
            file += 1;
            rest = &rest[letter.len_utf8()..];
        }
        if file > SIDE {
            return wrong("more than 12 squares".into());
        }
    }
    Ok(men)
}

fn read_leap_rights(field: Option<&str>, position: &mut Position) -> Result<(), FenError> {
    let error = |problem| error("leap rights", problem, LEAP_RIGHTS);
    let text = match field {
        None => return Err(error(got(None))),
        Some("-") => return Ok(()),
        Some(text) => text,
    };
    for letter in text.chars() {
        let color = if letter.is_ascii_uppercase() { Color::White } else { Color::Black };
        let king = position.king(color);
        let file = char::from(b'a' + king.file());
        match letter.to_ascii_lowercase() {
            'q' => continue,
            'k' => {}
            lower if lower == file => {}
            'a'..='l' => return Err(error(format!("'{letter}', but the king of {color} is on {king}"))),
            _ => return Err(error(got(field))),
        }
        if king.rank_for(color) != 0 {
            return Err(error(format!("'{letter}', but the king of {color} is on {king}")));
        }
        position.set_leap_right(color, true);
    }
    Ok(())
}

fn is_number(field: &str) -> bool {
    field.bytes().all(|b| b.is_ascii_digit())
}

fn number<N: std::str::FromStr>(field: &str) -> Option<N> {
    if is_number(field) { field.parse().ok() } else { None }
}

fn got(field: Option<&str>) -> String {
    field.map_or("it is missing".into(), |text| format!("'{}'", excerpt(text)))
}

fn error(field: &'static str, problem: String, allowed: &'static str) -> FenError {
    FenError { field, problem, allowed }
}
