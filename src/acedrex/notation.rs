//! Moves as text.
//!
//! Coordinates: `g1e3`, `c12f10`, `a11a12r`. The game's own notation is that of chess with its
//! letters: `Ge3`, `Rae5`, `e5`, `dxe5`, `e12=C`, `Ke3+`.

use crate::game::{Color, MoveError, MoveList, MoveParts, Position as _, Reason, excerpt};

use super::attacks::{EMPTY_BOARD, KING_LEAPS};
use super::bitboard::Bitboard;
use super::moves::{Move, Wanted};
use super::pieces::{Kind, man_letter};
use super::position::Position;
use super::squares::{SIDE, Square};

const ALLOWED: &str = "from-square and to-square, such as e4e5 or a11a12r, or the notation of the game, \
                       such as e5, dxe5, Ge3, Rae5 or e12=C";

/// A move in coordinates.
pub fn coordinates(position: &Position, m: Move) -> String {
    let mut text = format!("{}{}", m.from(), m.to());
    text.extend(promotion(position, m).map(Kind::letter));
    text
}

/// A move in the game's own notation.
pub fn notation(position: &Position, m: Move) -> String {
    let kind = position.kind_on(m.from()).expect("a move starts from a man");
    let takes = position.kind_on(m.to()).is_some();
    let mut text = String::new();
    if kind == Kind::Pawn {
        if takes {
            text.push(file_letter(m.from()));
        }
    } else {
        text.push(kind.letter().to_ascii_uppercase());
        text.push_str(&origin(position, kind, m));
    }
    if takes {
        text.push('x');
    }
    text.push_str(&m.to().to_string());
    if let Some(kind) = promotion(position, m) {
        text.push('=');
        text.push(kind.letter().to_ascii_uppercase());
    }
    let mut next = position.clone();
    next.play(m);
    if next.is_in_check(next.side()) {
        let mate = next.count_moves() == 0 && next.ending_without_moves().reason == Reason::Checkmate;
        text.push(if mate { '#' } else { '+' });
    }
    text
}

/// As much of the from-square as tells the piece from others of its kind: file, rank or both.
fn origin(position: &Position, kind: Kind, m: Move) -> String {
    let from = m.from();
    let others: Vec<Square> = legal_moves(position)
        .into_iter()
        .filter(|other| other.to() == m.to() && other.from() != from)
        .map(Move::from)
        .filter(|&other| position.kind_on(other) == Some(kind))
        .collect();
    if others.is_empty() {
        String::new()
    } else if others.iter().all(|other| other.file() != from.file()) {
        file_letter(from).to_string()
    } else if others.iter().all(|other| other.rank() != from.rank()) {
        (from.rank() + 1).to_string()
    } else {
        from.to_string()
    }
}

/// A move taken apart.
pub fn parts(position: &Position, m: Move) -> MoveParts {
    MoveParts {
        from: m.from().to_string(),
        to: m.to().to_string(),
        captured: position.kind_on(m.to()).map(|_| m.to().to_string()).into_iter().collect(),
        promotion: promotion(position, m).map(Kind::letter),
    }
}

/// Reads a legal move in either form.
pub fn read(position: &Position, text: &str) -> Result<Move, MoveError> {
    let written =
        Written::read(text).ok_or_else(|| MoveError::Unreadable { text: excerpt(text), allowed: ALLOWED })?;
    let illegal = |why: String| Err(MoveError::Illegal { text: excerpt(text), why });
    let fitting: Vec<Move> =
        legal_moves(position).into_iter().filter(|&m| written.fits(position, m)).collect();
    match fitting[..] {
        [] => illegal(written.why_not(position)),
        [m] => match (promotion(position, m), written.promotion) {
            (None, Some(_)) => illegal(format!("nothing promotes on {}", m.to())),
            (Some(kind), Some(letter)) if letter != kind.letter() => {
                illegal(format!("a pawn on {} promotes to {}", m.to(), kind.name()))
            }
            _ => Ok(m),
        },
        _ => {
            let candidates = fitting.iter().map(|&m| coordinates(position, m)).collect();
            Err(MoveError::Ambiguous { text: excerpt(text), candidates })
        }
    }
}

/// What a move text says, whether or not there is such a move.
struct Written {
    kind: Option<Kind>,
    file: Option<u8>,
    rank: Option<u8>,
    to: Square,
    /// In lower case.
    promotion: Option<char>,
}

impl Written {
    fn read(text: &str) -> Option<Written> {
        let text = text.trim_end_matches(['+', '#', '!', '?']);
        let mut rest = Rest(text);
        let kind = rest.take(|c| c.is_ascii_uppercase().then(|| Kind::from_letter(c)).flatten());
        let first = rest.square_part();
        let after_first = rest;
        rest.take(|c| matches!(c, 'x' | '-').then_some(()));
        let second = rest.square_part();
        let ((file, rank), to) = match (first, second) {
            (from, (Some(file), Some(rank))) => (from, Square::new(file, rank)),
            ((Some(file), Some(rank)), _) => {
                // What follows is no square: perhaps a promotion, whose letter may be that of a file.
                rest = after_first;
                ((None, None), Square::new(file, rank))
            }
            _ => return None,
        };
        // A from-square names the man; without one, no letter means a pawn.
        let kind = if file.is_some() && rank.is_some() { kind } else { kind.or(Some(Kind::Pawn)) };
        rest.take(|c| (c == '=').then_some(()));
        // XBoard writes a dot where it knows of no letter.
        let promotion = match rest.take(Some) {
            None | Some('.') => None,
            Some(letter) => Some(Kind::from_letter(letter)?.letter()),
        };
        rest.0.is_empty().then_some(Written { kind, file, rank, to, promotion })
    }

    fn fits(&self, position: &Position, m: Move) -> bool {
        m.to() == self.to
            && self.file.is_none_or(|file| file == m.from().file())
            && self.rank.is_none_or(|rank| rank == m.from().rank())
            && (self.kind.is_none() || self.kind == position.kind_on(m.from()))
    }

    /// Why no legal move fits.
    fn why_not(&self, position: &Position) -> String {
        match (self.file, self.rank, self.kind) {
            (Some(file), Some(rank), kind) => {
                let from = Square::new(file, rank);
                match (position.kind_on(from), kind) {
                    (Some(stands), Some(kind)) if stands != kind => {
                        format!("the piece on {from} is a {}", stands.name())
                    }
                    _ => why_illegal(position, from, self.to),
                }
            }
            (_, _, kind) => {
                let kind = kind.unwrap_or(Kind::Pawn);
                let men = position.men_of(position.side(), kind).into_iter();
                let mut near = men.filter(|&from| {
                    self.file.is_none_or(|file| file == from.file())
                        && self.rank.is_none_or(|rank| rank == from.rank())
                        && position.reach(from).contains(self.to)
                });
                match (near.next(), kind) {
                    (Some(from), _) => why_illegal(position, from, self.to),
                    (None, Kind::King) => why_illegal(position, position.king(position.side()), self.to),
                    (None, _) => format!("no {} of {} can go to {}", kind.name(), position.side(), self.to),
                }
            }
        }
    }
}

/// The unread rest of a move text.
#[derive(Clone, Copy)]
struct Rest<'a>(&'a str);

impl Rest<'_> {
    /// The next character, if `wanted` takes it.
    fn take<T>(&mut self, wanted: impl Fn(char) -> Option<T>) -> Option<T> {
        let next = self.0.chars().next()?;
        let taken = wanted(next)?;
        self.0 = &self.0[next.len_utf8()..];
        Some(taken)
    }

    /// A file, a rank, a file and a rank, or nothing.
    fn square_part(&mut self) -> (Option<u8>, Option<u8>) {
        let file = self.take(|c| matches!(c, 'a'..='l').then(|| c as u8 - b'a'));
        let digits = self.0.len() - self.0.trim_start_matches(|c: char| c.is_ascii_digit()).len();
        let number = self.0[..digits].parse::<u8>().ok();
        let rank = number.filter(|n| (1..=SIDE).contains(n) && !self.0.starts_with('0')).map(|n| n - 1);
        if rank.is_some() {
            self.0 = &self.0[digits..];
        }
        (file, rank)
    }
}

/// Why the side to move may not go from `from` to `to`.
///
/// XBoard shows these reasons to its user, and mistakes a line with some words (name, time, board,
/// result and their like) for something else: they are to be avoided.
fn why_illegal(position: &Position, from: Square, to: Square) -> String {
    let us = position.side();
    let Some((color, kind)) = position.man_on(from) else {
        return format!("there is no piece on {from}");
    };
    if color != us {
        return format!("the piece on {from} is {color}'s");
    }
    if position.ending_at_sight().is_some() {
        return "the game is over".into();
    }
    if from == to {
        return "a move must lead to another square".into();
    }
    if position.men(us).contains(to) {
        return format!("there is a piece of one's own on {to}");
    }
    let in_check = position.is_in_check(us);
    if !position.reach(from).contains(to) {
        if kind == Kind::King && KING_LEAPS[from.index()].contains(to) {
            return why_no_leap(position, to, in_check).into();
        }
        if EMPTY_BOARD[kind.index()][from.index()].contains(to) {
            return "there is something in the way".into();
        }
        return format!("a {} does not move so", kind.name());
    }
    if position.is_bare(us) {
        "a bare king may only take the last man".into()
    } else if in_check && kind != Kind::King {
        "the king is in check".into()
    } else {
        "the king would be in check".into()
    }
}

fn why_no_leap(position: &Position, to: Square, in_check: bool) -> &'static str {
    let us = position.side();
    if position.is_bare(us) {
        "a bare king may only take the last man"
    } else if !position.may_leap(us) {
        "the king has moved before and may not leap"
    } else if in_check {
        "a king in check may not leap"
    } else if position.all_men().contains(to) {
        "a leap must land on an empty square"
    } else {
        "the king would be in check"
    }
}

/// What the move makes of a pawn, if it does.
pub fn promotion(position: &Position, m: Move) -> Option<Kind> {
    let kind = position.kind_on(m.from())?;
    Some(position.becomes(kind, m.to())).filter(|&becomes| becomes != kind)
}

fn legal_moves(position: &Position) -> MoveList<Move> {
    let mut moves = MoveList::new();
    position.generate(Wanted::All, &mut moves);
    moves
}

fn file_letter(square: Square) -> char {
    char::from(b'a' + square.file())
}

/// The board for a terminal, White at the bottom.
pub fn diagram(position: &Position, bottom: Color) -> String {
    // From the top left as the one below sees it.
    let turned = |line: u8| if bottom == Color::White { line } else { SIDE - 1 - line };
    let mut text = String::new();
    for rank in (0..SIDE).rev().map(turned) {
        text.push_str(&format!("{:>3} ", rank + 1));
        for file in (0..SIDE).map(turned) {
            let man = position.man_on(Square::new(file, rank));
            text.push(' ');
            text.push(man.map_or('.', |(color, kind)| man_letter(color, kind)));
        }
        text.push('\n');
    }
    let files: String = (0..SIDE).map(turned).flat_map(|file| [' ', (b'a' + file) as char]).collect();
    text.push_str(&format!("    {files}\n"));
    text.push_str(&format!("     {} to move, move {}\n", position.side(), position.number()));
    text
}

/// The names of the squares of a set.
pub fn names(set: Bitboard) -> Vec<String> {
    set.into_iter().map(|square| square.to_string()).collect()
}
