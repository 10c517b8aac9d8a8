//! A position: what stands where, whose move it is, and what the draws count.

use super::evaluation::{self, KING, MAN, States};
use super::fen::LARGEST_NUMBER;
use super::moves::Move;
use super::routes;
use super::rules::{Counters, Rules};
use super::squares::{Square, Squares};
use super::{processor, tables, zobrist};
use crate::game::{
    self, Color, Ending, Features, FenError, Known, MoveError, MoveList, MoveParts, Reason, Term,
};

/// A position of Spanish draughts.
#[derive(Clone, Copy, Debug)]
pub struct Position {
    pub(super) men: [Squares; 2],
    pub(super) kings: [Squares; 2],
    key: u64,
    /// How the men look to the evaluation.
    patterns: States,
    /// How many pieces both sides have together.
    count: u8,
    /// Counts from 1, after each move of Black.
    pub(super) number: u32,
    pub(super) counters: Counters,
    side: Color,
    pub(super) rules: Rules,
}

/// Two positions are equal where all is equal that a FEN under their rules can tell: pieces, side to
/// move, the count of the draw in force, move number, and the rules themselves.
impl PartialEq for Position {
    fn eq(&self, other: &Position) -> bool {
        (self.men, self.kings, self.side, self.number, self.rules)
            == (other.men, other.kings, other.side, other.number, other.rules)
            && self.plies_without_progress() == other.plies_without_progress()
    }
}

impl Eq for Position {}

impl Position {
    /// A position set up; the sets must not overlap and no man may stand on its last row.
    pub(super) fn set_up(men: [Squares; 2], kings: [Squares; 2], side: Color, rules: Rules) -> Position {
        let mut position = Position {
            men,
            kings,
            key: 0,
            patterns: States::of(men),
            count: 0,
            number: 1,
            counters: Counters::default(),
            side,
            rules,
        };
        position.key = position.key_from_pieces();
        position.count = position.occupied().count() as u8;
        position.note_forzosa();
        position
    }

    pub(super) const fn side(&self) -> Color {
        self.side
    }

    pub const fn men(&self, color: Color) -> Squares {
        self.men[color.index()]
    }

    pub const fn kings(&self, color: Color) -> Squares {
        self.kings[color.index()]
    }

    /// Men and kings.
    pub const fn pieces(&self, color: Color) -> Squares {
        Squares(self.men(color).0 | self.kings(color).0)
    }

    /// Men and kings of both sides.
    pub const fn occupied(&self) -> Squares {
        Squares(self.pieces(Color::White).0 | self.pieces(Color::Black).0)
    }

    /// How many men and kings both sides have together; kept up to date, as every node asks.
    pub const fn piece_count(&self) -> u32 {
        self.count as u32
    }

    /// The states of the patterns of the evaluation; kept up to date.
    pub(super) const fn patterns(&self) -> &States {
        &self.patterns
    }

    /// Does the move make a king of a man?
    pub fn crowns(&self, m: Move) -> bool {
        last_row(self.side).contains(m.to) && self.men(self.side).contains(m.from)
    }

    fn key_from_pieces(&self) -> u64 {
        let mut key = if self.side == Color::Black { zobrist::BLACK_TO_MOVE } else { 0 };
        for color in [Color::White, Color::Black] {
            for square in self.men(color) {
                key ^= zobrist::piece(color, false, square);
            }
            for square in self.kings(color) {
                key ^= zobrist::piece(color, true, square);
            }
        }
        key
    }

    #[inline(always)]
    fn count_move(&mut self) {
        // Counts no further than a FEN can tell.
        self.number = (self.number + self.side.index() as u32).min(LARGEST_NUMBER);
        self.side = !self.side;
    }

    /// The key after a legal move of a side known when this is compiled.
    #[inline(always)]
    fn key_after_as<const WHITE: bool>(&self, m: Move) -> u64 {
        let (own, enemy) = if WHITE { (Color::White, Color::Black) } else { (Color::Black, Color::White) };
        let king = self.kings(own).contains(m.from);
        let crowning = !king && last_row(own).contains(m.to);
        let mut key = self.key
            ^ zobrist::BLACK_TO_MOVE
            ^ zobrist::piece(own, king, m.from)
            ^ zobrist::piece(own, king || crowning, m.to);
        for square in m.captured {
            key ^= zobrist::piece(enemy, self.kings(enemy).contains(square), square);
        }
        key
    }

    /// Makes a legal move of a side known when this is compiled, so that no set is looked up by colour.
    #[inline(always)]
    fn play_as<const WHITE: bool>(&mut self, m: Move) {
        let (own, enemy) = if WHITE { (Color::White, Color::Black) } else { (Color::Black, Color::White) };
        self.key = self.key_after_as::<WHITE>(m);
        let (men, kings) = (&mut self.men[own.index()], &mut self.kings[own.index()]);
        let king = kings.contains(m.from);
        let crowning = !king && last_row(own).contains(m.to);

        // First off, then on: a king may end where it began.
        if king {
            *kings = kings.without(m.from.set()) | m.to.set();
        } else {
            *men = men.without(m.from.set());
            *(if crowning { kings } else { men }) |= m.to.set();
            if crowning {
                self.patterns.take(own, m.from);
            } else {
                self.patterns.shift(own, m.from, m.to);
            }
        }
        if m.is_capture() {
            let (men, kings) = (&mut self.men[enemy.index()], &mut self.kings[enemy.index()]);
            for square in m.captured & *men {
                self.patterns.take(enemy, square);
            }
            *men = men.without(m.captured);
            *kings = kings.without(m.captured);
            self.count -= m.captured.count() as u8;
        }
        self.counters.advance(m.is_capture(), !king, crowning);
        self.count_move();
        self.note_forzosa();
    }
}

/// The slots of moves by their squares, and how many there are: one for each move along a diagonal, and slot 0 for
/// captures that end elsewhere. So few keep the statistics of pairs of moves in the processor's caches.
const fn history_slots() -> ([[u16; Square::COUNT]; Square::COUNT], usize) {
    let mut slots = [[0; Square::COUNT]; Square::COUNT];
    let mut count = 1;
    let mut from = 0;
    while from < Square::COUNT {
        let mut to = 0;
        while to < Square::COUNT {
            if Square::new(from as u8).is_on_diagonal_of(Square::new(to as u8)) {
                slots[from][to] = count as u16;
                count += 1;
            }
            to += 1;
        }
        from += 1;
    }
    (slots, count)
}

static HISTORY_SLOT: [[u16; Square::COUNT]; Square::COUNT] = history_slots().0;

/// The row on which men of a colour crown.
pub(super) const fn last_row(color: Color) -> Squares {
    match color {
        Color::White => Squares::row(7),
        Color::Black => Squares::row(0),
    }
}

impl game::Position for Position {
    type Move = Move;
    type Rules = Rules;

    const VARIANT: &'static str = "spanish-draughts";
    const LEGEND: &'static str = "\
w and b are men, W and B are kings; beside the board stand the squares' numbers.
  A man goes one step diagonally ahead and takes ahead; on the last row it becomes
  a king. A king goes and takes any distance diagonally.
Captures must be made, to their end: one that takes the most pieces, and among
those the most kings. Pieces taken stay on the board until the move
is over. Who has no piece or no move has lost.
";
    /// Zugzwang is the daily bread of draughts.
    const FORCED_CAPTURES: bool = true;
    const SWING: i32 = 110;
    const FEW_MOVES: i32 = 6;
    const SHORT_NODES: bool = true;
    const HISTORY_SLOTS: usize = history_slots().1;

    fn start(rules: Rules) -> Position {
        Position::set_up([Squares(0xfff), Squares(0xfff << 20)], [Squares::EMPTY; 2], Color::White, rules)
    }

    fn from_fen(fen: &str, rules: Rules) -> Result<Position, FenError> {
        Position::read_fen(fen, rules)
    }

    fn fen(&self) -> String {
        self.write_fen()
    }

    fn parse_move(&self, text: &str) -> Result<Move, MoveError> {
        self.read_move(text)
    }

    fn move_text(&self, m: Move) -> String {
        self.coordinates(m)
    }

    fn notation(&self, m: Move) -> String {
        self.pdn(m)
    }

    fn move_parts(&self, m: Move) -> MoveParts {
        MoveParts {
            from: m.from.to_string(),
            to: m.to.to_string(),
            captured: m.captured.into_iter().map(|square| square.to_string()).collect(),
            promotion: self.crowns(m).then_some('k'),
        }
    }

    fn next_victims(&self, m: Move, taken: &[String]) -> Option<Vec<String>> {
        let taken: Vec<Square> = taken.iter().map(|name| Square::from_name(name)).collect::<Option<_>>()?;
        let next = routes::next_victims(self, m, &taken)?;
        Some(next.into_iter().map(|square| square.to_string()).collect())
    }

    fn diagram(&self, bottom: Color) -> String {
        self.draw_board(bottom)
    }

    fn side_to_move(&self) -> Color {
        self.side
    }

    fn move_number(&self) -> u32 {
        self.number
    }

    fn key(&self) -> u64 {
        self.key
    }

    fn rules(&self) -> Rules {
        self.rules
    }

    fn set_rules(&mut self, rules: Rules) {
        self.rules = rules;
    }

    fn checkers(&self) -> Vec<String> {
        Vec::new()
    }

    fn constraint(&self) -> Option<String> {
        if !self.must_capture() {
            return None;
        }
        let mut moves = MoveList::new();
        self.legal_moves(&mut moves);
        // All legal captures take equally many pieces and kings.
        let captured = moves.first()?.captured;
        let kings = (captured & self.kings(!self.side)).count();
        Some(match (captured.count(), kings) {
            (1, 0) => "a capture is compulsory".into(),
            (1, _) => "a capture is compulsory, and it must take a king".into(),
            (pieces, 0) => format!("a capture is compulsory, and it must take {pieces} pieces"),
            (pieces, kings) => {
                format!("a capture is compulsory, and it must take {pieces} pieces, {kings} of them kings")
            }
        })
    }

    fn in_check(&self) -> bool {
        false
    }

    fn verify(&self) -> Result<(), String> {
        let sets = [self.men[0], self.men[1], self.kings[0], self.kings[1]];
        let squares: u32 = sets.iter().map(|set| set.count()).sum();
        if squares != self.occupied().count() {
            return Err(format!("a square holds two pieces: {sets:?}"));
        }
        for color in [Color::White, Color::Black] {
            if self.men(color).meets(last_row(color)) {
                return Err(format!("a man of {color} stands on its last row: {:?}", self.men(color)));
            }
        }
        if self.piece_count() != squares {
            return Err(format!("{} pieces are counted, and there are {squares}", self.count));
        }
        let patterns = States::of(self.men);
        if self.patterns != patterns {
            return Err(format!("the patterns are {:?}, by the men {patterns:?}", self.patterns));
        }
        let key = self.key_from_pieces();
        if self.key != key {
            return Err(format!("the key is {:#x}, by the pieces {key:#x}", self.key));
        }
        Ok(())
    }

    #[inline]
    fn legal_moves(&self, moves: &mut MoveList<Move>) {
        processor::legal_moves(self, moves);
    }

    #[inline]
    fn name(&self, m: Move) -> u16 {
        self.name_of(m)
    }

    #[inline]
    fn place(&self, moves: &[Move], name: u16) -> Option<usize> {
        self.place_of_name(moves, name)
    }

    #[inline]
    fn presumed(&self, name: u16) -> Option<Move> {
        self.quiet_move_of_name(name)
    }

    #[inline]
    fn key_after(&self, m: Move) -> u64 {
        match self.side {
            Color::White => self.key_after_as::<true>(m),
            Color::Black => self.key_after_as::<false>(m),
        }
    }

    /// Only crownings are left where nothing can be captured.
    fn may_be_noisy(&self) -> bool {
        self.has_crowning()
    }

    fn noisy_moves(&self, moves: &mut MoveList<Move>) {
        if self.must_capture() {
            self.legal_moves(moves);
        } else {
            self.crownings(moves);
        }
    }

    #[inline]
    fn count_moves(&self) -> u64 {
        processor::count_moves(self)
    }

    fn count_answers(&self) -> u64 {
        processor::count_answers(self)
    }

    #[inline]
    fn play(&mut self, m: Move) {
        match self.side {
            Color::White => self.play_as::<true>(m),
            Color::Black => self.play_as::<false>(m),
        }
    }

    fn pass(&mut self) {
        self.counters.advance(false, false, false);
        self.count_move();
        self.key ^= zobrist::BLACK_TO_MOVE;
    }

    fn ending_at_sight(&self) -> Option<Ending> {
        self.loss_by_pieces()
    }

    fn ending_without_moves(&self) -> Ending {
        self.loss_by_moves()
    }

    fn draw_by_rule(&self) -> Option<Reason> {
        self.draw_by_counters()
    }

    fn plies_to_draw(&self) -> u32 {
        self.plies_left()
    }

    fn reversible_plies(&self) -> usize {
        self.counters.kings_only as usize
    }

    fn evaluate(&self) -> i32 {
        processor::evaluate(self)
    }

    fn evaluation_terms(&self) -> Vec<Term> {
        evaluation::terms(self)
    }

    fn may_stand_pat(&self) -> bool {
        !self.must_capture() && self.has_quiet_move()
    }

    fn is_threatened(&self) -> bool {
        self.could_capture(!self.side)
    }

    fn may_pass(&self) -> bool {
        false
    }

    fn may_prune(&self) -> bool {
        !self.is_threatened()
    }

    fn is_noisy(&self, m: Move) -> bool {
        m.is_capture() || self.crowns(m)
    }

    fn noisy_value(&self, m: Move) -> i32 {
        let kings = (m.captured & self.kings(!self.side)).count() as i32;
        let men = m.captured.count() as i32 - kings;
        let crowning = if self.crowns(m) { KING - MAN } else { 0 };
        // One centipawn lets a man take before a king.
        let by_king = self.kings(self.side).contains(m.from) as i32;
        men * MAN + kings * KING + crowning - by_king
    }

    fn known_value(&self) -> Option<Known> {
        tables::known(self)
    }

    fn history_slot(&self, m: Move) -> usize {
        HISTORY_SLOT[m.from.index()][m.to.index()].into()
    }

    /// The men of both sides, mixed by Fibonacci hashing.
    fn structure_key(&self) -> u64 {
        let men = u64::from(self.men[0].0) << 32 | u64::from(self.men[1].0);
        (men ^ men >> 29).wrapping_mul(0x9e37_79b9_7f4a_7c15)
    }
}

impl game::Fitted for Position {
    fn weights() -> Vec<[f32; 2]> {
        evaluation::weights()
    }

    fn weight_name(index: usize) -> String {
        evaluation::weight_name(index)
    }

    fn weight_groups() -> Vec<&'static str> {
        evaluation::weight_groups()
    }

    fn features(&self) -> Features {
        evaluation::features(self)
    }

    fn weights_file(weights: &[[f32; 2]]) -> Vec<u8> {
        evaluation::weights_file(weights)
    }
}
