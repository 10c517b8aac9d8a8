//! What the men of a side attack, counted once for all terms that ask: mobility first of all.

use crate::game::Color;

use super::super::attacks::{EMPTY_BOARD, attacks};
use super::super::bitboard::Bitboard;
use super::super::pieces::Kind;
use super::super::position::Position;
use super::layout::{MOBILITY, NEAR_KING, mobility_column, piece_row};
use super::tally::Tally;

/// What one side attacks.
pub struct Activity {
    pub by_kind: [Bitboard; Kind::COUNT],
    pub all: Bitboard,
    /// Attacked by two men at least.
    pub twice: Bitboard,
    /// How strongly its men bear on the enemy king, see [`super::king`].
    pub units: u32,
    /// The enemy king and the squares beside it.
    king_zone: Bitboard,
    /// Where a piece is counted as mobile: no own man, and no pawn takes it there.
    room: Bitboard,
}

/// What a piece that attacks the zone of a king weighs in units, beside one unit for each square of it.
const UNITS: [u32; Kind::COUNT] = [0, 2, 2, 2, 3, 4, 5, 0];

impl Activity {
    /// Counts the mobility of all pieces and what they attack near the enemy king.
    #[inline(always)]
    pub fn of(position: &Position, color: Color, among: &Bitboard, tally: &mut impl Tally) -> Activity {
        let enemy_king = position.king(!color);
        let king_attacks = &EMPTY_BOARD[Kind::King.index()];
        let [left, right] = pawn_attacks(position, color);
        let [enemy_left, enemy_right] = pawn_attacks(position, !color);
        let king_zone = king_attacks[enemy_king.index()] | Bitboard::of(enemy_king);
        let mut activity = Activity {
            by_kind: [Bitboard::EMPTY; Kind::COUNT],
            all: left | right,
            twice: left & right,
            units: ((left | right) & king_zone).len(),
            king_zone,
            room: !(position.men(color) | enemy_left | enemy_right) & Bitboard::ALL,
        };
        activity.by_kind[Kind::Pawn.index()] = left | right;
        // Spelled out, so that each is compiled for its kind.
        activity.pieces(Kind::Giraffe, position, color, among, tally);
        activity.pieces(Kind::Crocodile, position, color, among, tally);
        activity.pieces(Kind::Lion, position, color, among, tally);
        activity.pieces(Kind::Rook, position, color, among, tally);
        activity.pieces(Kind::Rhinoceros, position, color, among, tally);
        activity.pieces(Kind::Gryphon, position, color, among, tally);
        activity.add(Kind::King, king_attacks[position.king(color).index()]);
        activity
    }

    #[inline(always)]
    fn pieces(
        &mut self,
        kind: Kind,
        position: &Position,
        color: Color,
        among: &Bitboard,
        tally: &mut impl Tally,
    ) {
        for from in position.men_of(color, kind) {
            let attacked = attacks(kind, from, among);
            self.add(kind, attacked);
            let squares = (attacked & self.room).len() as usize;
            tally.add(MOBILITY.at(piece_row(kind), mobility_column(squares)), 1);
            let near_king = attacked & self.king_zone;
            if !near_king.is_empty() {
                self.units += UNITS[kind.index()] + near_king.len();
                tally.add(NEAR_KING.at(piece_row(kind), 0), 1);
            }
        }
    }

    #[inline(always)]
    fn add(&mut self, kind: Kind, attacked: Bitboard) {
        self.twice |= self.all & attacked;
        self.all |= attacked;
        self.by_kind[kind.index()] |= attacked;
    }
}

/// What the pawns of a side attack to the left and to the right.
fn pawn_attacks(position: &Position, color: Color) -> [Bitboard; 2] {
    let pawns = position.men_of(color, Kind::Pawn);
    let both = match color {
        Color::White => [pawns.raised(15), pawns.raised(17)],
        Color::Black => [pawns.lowered(17), pawns.lowered(15)],
    };
    both.map(|set| set & Bitboard::ALL)
}
