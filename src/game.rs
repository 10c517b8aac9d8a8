//! All that the search and the engine may know of a game.
//!
//! A game is a folder of its own that implements [`Position`]; whatever is generic over `Position`
//! is compiled once for each game, so that inside a search the compiler sees one game only.
//! [`Game`] is a game in progress: the positions so far, and what only they together can tell
//! (repetition).

use std::fmt::{self, Debug, Display};

use arrayvec::ArrayVec;
use thiserror::Error;

/// The most moves a [`MoveList`] holds.
///
/// A move of the 12x12 game is named by its two squares: one of `n` own men goes to one of the
/// `144 - n` other squares, which is at most 72 x 72. Draughts stays far below.
pub const MAX_MOVES: usize = 72 * 72;

/// Moves of one position, in a list that never allocates.
pub type MoveList<M> = ArrayVec<M, MAX_MOVES>;

/// The two players.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum Color {
    /// Moves first in both games.
    White,
    Black,
}

impl Color {
    /// 0 for White, 1 for Black.
    pub const fn index(self) -> usize {
        self as usize
    }
}

impl std::ops::Not for Color {
    type Output = Color;

    fn not(self) -> Color {
        match self {
            Color::White => Color::Black,
            Color::Black => Color::White,
        }
    }
}

impl Display for Color {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(match self {
            Color::White => "White",
            Color::Black => "Black",
        })
    }
}

/// How a game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ending {
    /// The winner, or `None` for a draw.
    pub winner: Option<Color>,
    pub reason: Reason,
}

impl Ending {
    pub const fn win(winner: Color, reason: Reason) -> Self {
        Ending { winner: Some(winner), reason }
    }

    pub const fn draw(reason: Reason) -> Self {
        Ending { winner: None, reason }
    }

    /// `1-0`, `0-1` or `1/2-1/2`.
    pub const fn result(&self) -> &'static str {
        match self.winner {
            Some(Color::White) => "1-0",
            Some(Color::Black) => "0-1",
            None => "1/2-1/2",
        }
    }
}

/// Why a game ended, over all games.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reason {
    Checkmate,
    Stalemate,
    BareKing,
    BothKingsBare,
    /// No piece left (draughts).
    NoPiece,
    /// Pieces left, but none can move (draughts).
    Blocked,
    Repetition,
    /// The game's rule against endless play: moves without progress.
    MoveRule,
    /// Three kings against one for twelve moves a side (federation rules of Spanish draughts).
    Forzosa,
}

impl Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(match self {
            Reason::Checkmate => "checkmate",
            Reason::Stalemate => "stalemate",
            Reason::BareKing => "bare king",
            Reason::BothKingsBare => "both kings bare",
            Reason::NoPiece => "no piece left",
            Reason::Blocked => "no legal move",
            Reason::Repetition => "repetition",
            Reason::MoveRule => "move rule",
            Reason::Forzosa => "forzosa",
        })
    }
}

/// A position text that could not be read: which field, what stood there, what is allowed.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("FEN field {field}: {problem}; allowed: {allowed}")]
pub struct FenError {
    /// The field as a user would name it, for example `pieces` or `leap rights`.
    pub field: &'static str,
    /// What was wrong, with the text that was got (shortened where long).
    pub problem: String,
    pub allowed: &'static str,
}

/// A move text that names no legal move.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum MoveError {
    /// Not a move text at all.
    #[error("'{text}' is not a move; allowed: {allowed}")]
    Unreadable { text: String, allowed: &'static str },
    /// A move text, but no legal move here; `why` is a short reason such as `the king would be in check`.
    #[error("illegal move '{text}': {why}")]
    Illegal { text: String, why: String },
    /// A short form that fits several legal moves.
    #[error("'{text}' is ambiguous; it may be {}", candidates.join(" or "))]
    Ambiguous { text: String, candidates: Vec<String> },
}

/// `text` cut to a length that is fit for an error message, control characters made visible.
pub fn excerpt(text: &str) -> String {
    const LONGEST: usize = 40;
    let mut shown: String = text.chars().take(LONGEST).flat_map(char::escape_debug).collect();
    if text.chars().nth(LONGEST).is_some() {
        shown.push('…');
    }
    shown
}

/// What is known for certain of a position, for the side to move, by the rules of draw in force.
///
/// A win and a loss have a number of steps, at most [`Known::MOST_STEPS`]: whoever wins has a move that makes it less, and
/// with every move that does so comes nearer to the end of the game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Known {
    Win(u32),
    Draw,
    Loss(u32),
}

impl Known {
    pub const MOST_STEPS: u32 = 10_000;
}

/// A move taken apart for those who show it: square names are the game's coordinates (`a1` …).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MoveParts {
    pub from: String,
    pub to: String,
    /// The squares whose enemy pieces the move takes, in rising order of the game's squares.
    pub captured: Vec<String>,
    /// The letter (lower case) of what the moving piece becomes, if it becomes another.
    pub promotion: Option<char>,
}

/// One line of an evaluation taken apart, in centipawns, White's view.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Term {
    pub name: &'static str,
    pub white: i32,
    pub black: i32,
}

/// A move of some game: small, copied freely.
pub trait Move: Copy + Eq + Debug + Send + Sync + 'static {}

/// A position with its side to move and its counters, and the rules of its game.
///
/// Copied to make a move (`let mut next = position.clone(); next.play(m)`): nothing is ever unmade.
/// Scores are in centipawns, from the view of the side to move.
pub trait Position: Clone + Debug + Send + Sync + 'static {
    type Move: Move;
    /// What an option may change about the rules (draw rules); kept inside the position.
    type Rules: Copy + Default + Eq + Debug + Send + Sync + 'static;

    /// The variant's name in every protocol.
    const VARIANT: &'static str;
    /// The letters of the pieces and how they move, for who sees the game for the first time: lines of a
    /// terminal of 80x24.
    const LEGEND: &'static str;
    /// Must a side that can take do so? Then nobody can decline an exchange, and a position is worth nothing to
    /// the eye until all captures are made.
    const FORCED_CAPTURES: bool;
    /// Centipawns that a ply may well be worth.
    const SWING: i32;
    /// So many moves are tried at the lowest depth before quiet ones are held to be late.
    const FEW_MOVES: i32;
    /// Are nodes so short that memory answers late when it is asked for an entry of the transposition table? Then it is
    /// asked ahead, and quiescence does without.
    const SHORT_NODES: bool;
    /// [`Position::history_slot`] is below this.
    const HISTORY_SLOTS: usize;

    // --- Text -----------------------------------------------------------------------------

    /// The start position.
    fn start(rules: Self::Rules) -> Self;
    /// Reads a FEN of the game.
    fn from_fen(fen: &str, rules: Self::Rules) -> Result<Self, FenError>;
    /// Writes the FEN, in the one form that [`Position::from_fen`] reads back to an equal position.
    fn fen(&self) -> String;
    /// Reads a legal move: coordinates, and whatever else the game's readers take.
    fn parse_move(&self, text: &str) -> Result<Self::Move, MoveError>;
    /// A legal move in coordinates, as UCI wants it.
    fn move_text(&self, m: Self::Move) -> String;
    /// A legal move in the game's own notation, as its players write it.
    fn notation(&self, m: Self::Move) -> String;
    /// A legal move taken apart.
    fn move_parts(&self, m: Self::Move) -> MoveParts;
    /// What a legal move may take next where it takes its pieces one after another, on its way:
    /// after the pieces on the squares `taken`, in this order, the squares of those that may follow;
    /// none where the way is complete. `None` where the move cannot begin so. Moves of most games
    /// take nothing on their way.
    fn next_victims(&self, _m: Self::Move, taken: &[String]) -> Option<Vec<String>> {
        taken.is_empty().then(Vec::new)
    }
    /// The board as text for a terminal of 80x24, `bottom`'s side below: several lines, each ended by a
    /// newline.
    fn diagram(&self, bottom: Color) -> String;

    // --- State ----------------------------------------------------------------------------

    fn side_to_move(&self) -> Color;
    /// The number of the next move, from 1, as the FEN counts.
    fn move_number(&self) -> u32;
    /// Hash of all that makes two positions the same for the repetition rule.
    fn key(&self) -> u64;
    fn rules(&self) -> Self::Rules;
    fn set_rules(&mut self, rules: Self::Rules);
    /// Squares of the pieces that give check, by name; empty in games without check.
    fn checkers(&self) -> Vec<String>;
    /// The rule that narrows the legal moves here, told to people (`a capture is compulsory …`);
    /// `None` where there is none.
    fn constraint(&self) -> Option<String>;
    /// Is the side to move in check? Always false in games without check.
    fn in_check(&self) -> bool;
    /// Recomputes all that is kept incrementally and compares; the error says what differs.
    fn verify(&self) -> Result<(), String>;

    // --- Moves ----------------------------------------------------------------------------

    /// Appends every legal move, each once, in a fixed order.
    fn legal_moves(&self, moves: &mut MoveList<Self::Move>);
    /// May there be any of the moves that [`Position::noisy_moves`] gives? Asked only where [`Position::may_stand_pat`].
    fn may_be_noisy(&self) -> bool {
        true
    }
    /// Appends the legal moves that quiescence tries where [`Position::may_stand_pat`]: captures and the like.
    fn noisy_moves(&self, moves: &mut MoveList<Self::Move>);
    /// Appends the legal moves that are not noisy.
    fn quiet_moves(&self, moves: &mut MoveList<Self::Move>) {
        let first = moves.len();
        self.legal_moves(moves);
        let mut index = 0;
        moves.retain(|m| {
            index += 1;
            index <= first || !self.is_noisy(*m)
        });
    }
    /// Appends those of them that give check, where quiescence should look at them.
    fn quiet_checks(&self, _moves: &mut MoveList<Self::Move>) {}
    /// Sixteen bits that name a legal move for certain among those of this position, never 0. The transposition
    /// table keeps these in place of the move.
    fn name(&self, m: Self::Move) -> u16;
    /// The place of the move of that name, if there is one, among the legal moves as they are generated.
    fn place(&self, moves: &[Self::Move], name: u16) -> Option<usize> {
        moves.iter().position(|&m| self.name(m) == name)
    }
    /// The legal move of that name, if there is one.
    fn find(&self, name: u16) -> Option<Self::Move> {
        let mut moves = MoveList::new();
        self.legal_moves(&mut moves);
        self.place(&moves, name).map(|place| moves[place])
    }
    /// The move of that name, where it can be told at sight: legal, if the name was given in this position.
    fn presumed(&self, _name: u16) -> Option<Self::Move> {
        None
    }
    /// The key after a legal move.
    fn key_after(&self, m: Self::Move) -> u64 {
        let mut next = self.clone();
        next.play(m);
        next.key()
    }
    /// The number of legal moves.
    fn count_moves(&self) -> u64 {
        let mut moves = MoveList::new();
        self.legal_moves(&mut moves);
        moves.len() as u64
    }
    /// The number of legal answers to all legal moves.
    fn count_answers(&self) -> u64 {
        let mut moves = MoveList::new();
        self.legal_moves(&mut moves);
        let answers = |&m| {
            let mut next = self.clone();
            next.play(m);
            next.count_moves()
        };
        moves.iter().map(answers).sum()
    }
    /// Makes a legal move.
    fn play(&mut self, m: Self::Move);
    /// Lets the side to move pass; only where [`Position::may_pass`].
    fn pass(&mut self);

    // --- How it stands --------------------------------------------------------------------

    /// The ending that can be seen without generating moves. Draws by counters are not among
    /// them: see [`Position::draw_by_rule`].
    fn ending_at_sight(&self) -> Option<Ending>;
    /// What it means that the side to move has no legal move.
    fn ending_without_moves(&self) -> Ending;
    /// A draw by the counters of the rules in force (not by repetition). Comes after the endings above.
    fn draw_by_rule(&self) -> Option<Reason>;
    /// Plies until [`Position::draw_by_rule`] if there is no progress: at most `i32::MAX`, for never.
    fn plies_to_draw(&self) -> u32;
    /// How many plies back an equal position can lie.
    fn reversible_plies(&self) -> usize;

    // --- For the search -------------------------------------------------------------------

    /// Static evaluation in centipawns, from the view of the side to move.
    fn evaluate(&self) -> i32;
    /// The evaluation taken apart; White's terms less Black's add up to [`Position::evaluate`]
    /// from White's view.
    fn evaluation_terms(&self) -> Vec<Term>;
    /// May the side to move be content with the static evaluation in quiescence? Not where it is
    /// forced to do something: in check, with a capture to make, with no legal move.
    fn may_stand_pat(&self) -> bool;
    /// Would the other side have to take something, were it to move? Then the static evaluation says little, where
    /// captures are forced.
    fn is_threatened(&self) -> bool {
        false
    }
    /// Is a null move sound here (no check, and enough left that zugzwang hardly threatens)?
    fn may_pass(&self) -> bool;
    /// May the search leave moves out that do not look good? Not where a quiet move may end the game in a
    /// way that no evaluation foresees.
    fn may_prune(&self) -> bool;
    /// Does the move take or promote?
    fn is_noisy(&self, m: Self::Move) -> bool;
    /// For a noisy move: what it may win, in centipawns, the cheapest taker first among equals.
    fn noisy_value(&self, m: Self::Move) -> i32;
    /// Does the legal move win at least `least` centipawns, once both sides have taken on its square as
    /// long as that pays? A move that ends the game does.
    fn wins_exchange(&self, _m: Self::Move, _least: i32) -> bool {
        true
    }
    /// Does the legal move give check?
    fn gives_check(&self, _m: Self::Move) -> bool {
        false
    }
    /// A table slot for the statistics of a move of the side to move: below [`Position::HISTORY_SLOTS`].
    fn history_slot(&self, m: Self::Move) -> usize;
    /// What is known for certain, of endgames say; captures under way are followed. `None` where nothing is.
    fn known_value(&self) -> Option<Known> {
        None
    }
    /// Hash of what changes slowly (pawns, men): positions that agree in it are misjudged alike.
    fn structure_key(&self) -> u64;
}

/// What the evaluation of one position is made of: it is, from White's view and in centipawns,
///
/// `scale * sum of count * (middle * middle_share + end * (1 - middle_share))`
///
/// over the coefficients, `middle` and `end` being the two values of each weight.
#[derive(Clone, Debug, PartialEq)]
pub struct Features {
    /// The index of each weight that counts, in rising order, and how often: White's count less Black's.
    pub coefficients: Vec<(u32, f32)>,
    /// 1 in the middle game, 0 in the endgame.
    pub middle_share: f32,
    /// What is left of an advantage that is hard to win, at most 1.
    pub scale: f32,
}

/// An evaluation that is a weighted sum, so that its weights can be fitted to the results of games.
pub trait Fitted: Position {
    /// The weights in force: each one's value in the middle game and in the endgame, centipawns.
    fn weights() -> Vec<[f32; 2]>;
    /// The name of a weight for reports, in the style of `mobility of the lion, 3`.
    fn weight_name(index: usize) -> String;
    /// The names of all groups of weights, with which those of their weights begin.
    fn weight_groups() -> Vec<&'static str>;
    /// What the evaluation is made of here.
    fn features(&self) -> Features;
    /// The file that holds the weights, with others (rounded) in their place. Its first line tells what it is.
    fn weights_file(weights: &[[f32; 2]]) -> Vec<u8>;
}

/// A game in progress: the first position, the moves, and the position after each.
#[derive(Clone, Debug)]
pub struct Game<P: Position> {
    positions: Vec<P>,
    moves: Vec<P::Move>,
}

impl<P: Position> Game<P> {
    /// A game that begins at `position`.
    pub fn new(position: P) -> Self {
        Game { positions: vec![position], moves: Vec::new() }
    }

    /// The position now.
    pub fn position(&self) -> &P {
        self.positions.last().expect("a game always has its first position")
    }

    /// The first position, then the position after each move.
    pub fn positions(&self) -> &[P] {
        &self.positions
    }

    /// The moves so far.
    pub fn moves(&self) -> &[P::Move] {
        &self.moves
    }

    /// Makes a legal move.
    pub fn play(&mut self, m: P::Move) {
        let mut next = self.position().clone();
        next.play(m);
        self.positions.push(next);
        self.moves.push(m);
    }

    /// Takes the last move back and returns it; `None` at the first position.
    pub fn undo(&mut self) -> Option<P::Move> {
        let m = self.moves.pop()?;
        self.positions.pop();
        Some(m)
    }

    /// Other rules for the positions so far and those to come.
    pub fn set_rules(&mut self, rules: P::Rules) {
        for position in &mut self.positions {
            position.set_rules(rules);
        }
    }

    /// Legal moves of the position now.
    pub fn legal_moves(&self) -> MoveList<P::Move> {
        let mut moves = MoveList::new();
        self.position().legal_moves(&mut moves);
        moves
    }

    /// Keys of the earlier positions that the position now may repeat, oldest first.
    pub fn reversible_keys(&self) -> Vec<u64> {
        let earlier = self.positions.len() - 1;
        let from = earlier.saturating_sub(self.position().reversible_plies());
        self.positions[from..earlier].iter().map(P::key).collect()
    }

    /// How the game stands: `None` while it goes on.
    pub fn ending(&self) -> Option<Ending> {
        self.ending_of_play().or_else(|| self.draw().map(Ending::draw))
    }

    /// The ending by what stands on the board, draws by repetition and counters left aside.
    pub fn ending_of_play(&self) -> Option<Ending> {
        let position = self.position();
        position
            .ending_at_sight()
            .or_else(|| (position.count_moves() == 0).then(|| position.ending_without_moves()))
    }

    /// A draw by repetition or by the counters, were there a legal move.
    pub fn draw(&self) -> Option<Reason> {
        let key = self.position().key();
        let earlier = self.reversible_keys().into_iter().filter(|&k| k == key).count();
        if earlier >= 2 { Some(Reason::Repetition) } else { self.position().draw_by_rule() }
    }
}
