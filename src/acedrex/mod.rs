//! Grande Acedrex, the great chess on 12x12 squares in the book of games of Alfonso X (1283).
//!
//! From the ground up: `squares`, sets of squares (`bitboard`), the `pieces` and what they
//! attack (`attacks`), the `position`, its legal `moves` and the `rules` of how a game ends;
//! text (`fen`, `notation`); the `evaluation`; what of all this is compiled for newer processors
//! too (`processor`). Here they come together as what the search and
//! the engine know of a game.

mod attacks;
mod bitboard;
mod checks;
mod evaluation;
mod exchange;
mod fen;
mod keys;
mod moves;
mod notation;
mod pieces;
mod position;
mod processor;
mod rules;
mod squares;
#[cfg(test)]
mod testing;

pub use moves::Move;
pub use pieces::XBOARD_MOVES;
pub use position::Position;
pub use rules::Rules;

use crate::game::{self, Color, Ending, Features, FenError, MoveError, MoveList, MoveParts, Reason, Term};

use pieces::Kind;
use squares::Square;

/// So many men, the king included, are few: the rare ends of the game are near.
const FEW_MEN: u32 = 3;

impl game::Position for Position {
    type Move = Move;
    type Rules = Rules;

    const VARIANT: &'static str = "grande-acedrex";
    const LEGEND: &'static str = "\
Capitals are White's pieces, small letters Black's.
  K king        one step; once, if never moved and not in check, two steps over
                anything to an empty square
  A gryphon     one step diagonally, and on like a rook, outwards
  U rhinoceros  leaps like a knight of chess (1,2), and on diagonally, outwards
  R rook        in straight lines
  L lion        leaps (1,3) or (0,3)
  C crocodile   diagonally, like a bishop
  G giraffe     leaps (2,3)
  P pawn        one step ahead, takes diagonally; on the last rank becomes the
                piece of the array on that file (f and g: gryphon)
Mate wins; stalemate wins for the side that stalemates. Who takes the last man
beside the king wins, unless his own last man is taken in reply.
";
    const FORCED_CAPTURES: bool = false;
    const SWING: i32 = 50;
    const FEW_MOVES: i32 = 28;
    const SHORT_NODES: bool = false;
    const HISTORY_SLOTS: usize = Kind::COUNT * Square::COUNT;

    fn start(rules: Rules) -> Position {
        fen::read(fen::START, rules).expect("the array is a position")
    }

    fn from_fen(text: &str, rules: Rules) -> Result<Position, FenError> {
        fen::read(text, rules)
    }

    fn fen(&self) -> String {
        fen::write(self)
    }

    fn parse_move(&self, text: &str) -> Result<Move, MoveError> {
        notation::read(self, text)
    }

    fn move_text(&self, m: Move) -> String {
        notation::coordinates(self, m)
    }

    fn notation(&self, m: Move) -> String {
        notation::notation(self, m)
    }

    fn move_parts(&self, m: Move) -> MoveParts {
        notation::parts(self, m)
    }

    fn diagram(&self, bottom: Color) -> String {
        notation::diagram(self, bottom)
    }

    fn side_to_move(&self) -> Color {
        self.side()
    }

    fn move_number(&self) -> u32 {
        self.number()
    }

    fn key(&self) -> u64 {
        self.hash()
    }

    fn rules(&self) -> Rules {
        self.rules_in_force()
    }

    fn set_rules(&mut self, rules: Rules) {
        self.set_rules(rules);
    }

    fn checkers(&self) -> Vec<String> {
        notation::names(self.checking_men())
    }

    fn constraint(&self) -> Option<String> {
        let rule = if self.is_bare(self.side()) {
            "a bare king may only take the last man of the other side"
        } else if self.in_check() {
            "the king is in check"
        } else {
            return None;
        };
        Some(rule.into())
    }

    fn in_check(&self) -> bool {
        self.is_in_check(self.side())
    }

    fn verify(&self) -> Result<(), String> {
        self.compare_with_rebuilt()
    }

    fn legal_moves(&self, moves: &mut MoveList<Move>) {
        processor::legal_moves(self, moves);
    }

    fn noisy_moves(&self, moves: &mut MoveList<Move>) {
        processor::noisy_moves(self, moves);
    }

    fn quiet_moves(&self, moves: &mut MoveList<Move>) {
        processor::quiet_moves(self, moves);
    }

    fn quiet_checks(&self, moves: &mut MoveList<Move>) {
        processor::quiet_checks(self, moves);
    }

    fn name(&self, m: Move) -> u16 {
        m.name()
    }

    fn find(&self, name: u16) -> Option<Move> {
        self.find_legal(name)
    }

    fn count_moves(&self) -> u64 {
        processor::count_moves(self)
    }

    fn play(&mut self, m: Move) {
        self.play(m);
    }

    fn pass(&mut self) {
        self.pass();
    }

    fn ending_at_sight(&self) -> Option<Ending> {
        self.ending_on_the_board()
    }

    fn ending_without_moves(&self) -> Ending {
        self.ending_for_lack_of_moves()
    }

    fn draw_by_rule(&self) -> Option<Reason> {
        self.draw_by_move_rule()
    }

    fn plies_to_draw(&self) -> u32 {
        self.plies_left()
    }

    fn reversible_plies(&self) -> usize {
        self.clock().into()
    }

    fn evaluate(&self) -> i32 {
        processor::evaluate(self)
    }

    fn evaluation_terms(&self) -> Vec<Term> {
        evaluation::terms(self)
    }

    /// A bare king must take the last man, or has lost. Who has little left, or nothing but pawns, may be
    /// stalemated, and has lost.
    fn may_stand_pat(&self) -> bool {
        let us = self.side();
        let has_a_move = || {
            let many = self.men(us).len() > FEW_MEN && !self.pieces(us).is_empty();
            many || self.count_moves() > 0
        };
        !self.is_bare(us) && !self.in_check() && has_a_move()
    }

    /// Being stalemated loses, so that having to move is worst for those who have little to move.
    fn may_pass(&self) -> bool {
        self.pieces(self.side()).len() >= 2 && !self.in_check()
    }

    /// Who has a piece left is seldom stalemated: it can move. Without one, any quiet move may end the game.
    fn may_prune(&self) -> bool {
        [Color::White, Color::Black].into_iter().all(|color| !self.pieces(color).is_empty())
    }

    fn is_noisy(&self, m: Move) -> bool {
        self.kind_on(m.to()).is_some() || notation::promotion(self, m).is_some()
    }

    fn noisy_value(&self, m: Move) -> i32 {
        self.gain(m)
    }

    fn wins_exchange(&self, m: Move, least: i32) -> bool {
        self.wins_exchange(m, least)
    }

    fn gives_check(&self, m: Move) -> bool {
        self.gives_check(m)
    }

    fn history_slot(&self, m: Move) -> usize {
        let kind = self.kind_on(m.from()).expect("a move starts from a man");
        kind.index() * Square::COUNT + m.to().place()
    }

    fn structure_key(&self) -> u64 {
        self.pawn_hash()
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
