//! Moves, and the legal ones of a position.
//!
//! Men are found as whole sets: one shift steps all of them. Kings look along their rays one by one.
//! All this works on a `View`, the bare sets of the board, and is compiled once for each side. Counting
//! two plies in bulk stays on views, so that it keeps no key and no counter up to date.
//!
//! Captures are followed piece by piece to their end; only the best so far by (pieces, kings) are kept,
//! which is the rule of quantity and the rule of quality in one comparison.
//!
//! The search for captures cannot run away, whatever a FEN sets up: only the 18 squares off the edge
//! can be captured on, and each piece there needs an empty square behind it. Climbing from random
//! positions with up to 31 enemy pieces to worse and worse ones ended below 80 moves (the most are
//! quiet, of lone kings: `W:WK1-4,K8,K9,K16,K17,K24,K25,K29-32:B`) and at some 10 microseconds for
//! the captures (`W:WK1,K8,K24,K25,K29:BK4-6,K12-14,K20-22,K28`).

use super::position::{Position, last_row};
use super::squares::{Direction, Square, Squares, sight, slide};
use crate::game::{self, Color, MoveList};

/// A move: two squares and the squares of the pieces it captures. Two routes that agree in all three
/// are one move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Move {
    pub captured: Squares,
    pub from: Square,
    pub to: Square,
}

impl Move {
    const fn quiet(from: Square, to: Square) -> Move {
        Move { captured: Squares::EMPTY, from, to }
    }

    pub const fn is_capture(self) -> bool {
        !self.captured.is_empty()
    }
}

impl game::Move for Move {}

/// The names of quiet moves, which no position has twice: this bit and the two squares. A capture's name is its place
/// among the legal moves, from 1.
const QUIET: u16 = 1 << 15;

/// How good a capture is by the rules: pieces first, kings among equals.
#[derive(Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
struct Rank(u16);

impl Rank {
    /// Below this no two routes of a king are equal moves: those that part and end alike run round a
    /// rectangle, with a piece on each of its sides.
    const MERGING: Rank = Rank(4 << 8);

    /// The rank after one piece more.
    fn taking(self, king: bool) -> Rank {
        Rank(self.0 + (1 << 8) + king as u16)
    }
}

/// The directions in which men of White (or Black) move.
pub(super) const fn forward(white: bool) -> [Direction; 2] {
    if white { [Direction::UpLeft, Direction::UpRight] } else { [Direction::DownLeft, Direction::DownRight] }
}

/// The two directions of men, for code compiled once for each side.
struct Forward<const WHITE: bool>;

impl<const WHITE: bool> Forward<WHITE> {
    const DIRECTIONS: [Direction; 2] = forward(WHITE);

    /// What `f` gives for each of the two; like [`Direction::each`].
    #[inline(always)]
    fn each<T>(f: impl Fn(Direction) -> T) -> [T; 2] {
        let [left, right] = Self::DIRECTIONS;
        [f(left), f(right)]
    }
}

/// The board as the side to move sees it: all that its moves depend on.
struct View<const WHITE: bool> {
    men: Squares,
    kings: Squares,
    enemy_men: Squares,
    enemy_kings: Squares,
}

impl<const WHITE: bool> View<WHITE> {
    const SIDE: Color = if WHITE { Color::White } else { Color::Black };

    #[inline(always)]
    fn of(position: &Position) -> Self {
        let (own, enemy) = if WHITE { (Color::White, Color::Black) } else { (Color::Black, Color::White) };
        View {
            men: position.men(own),
            kings: position.kings(own),
            enemy_men: position.men(enemy),
            enemy_kings: position.kings(enemy),
        }
    }

    /// The board after a legal move, as the enemy sees it.
    #[inline(always)]
    fn after<const ENEMY: bool>(&self, m: Move) -> View<ENEMY> {
        const { assert!(ENEMY != WHITE) };
        let (from, to) = (m.from.set(), m.to.set());
        let is_king = self.kings.meets(from) | last_row(Self::SIDE).meets(to);
        let king = if is_king { to } else { Squares::EMPTY };
        View {
            men: self.enemy_men.without(m.captured),
            kings: self.enemy_kings.without(m.captured),
            enemy_men: self.men.without(from) | to.without(king),
            enemy_kings: self.kings.without(from) | king,
        }
    }

    #[inline(always)]
    fn enemies(&self) -> Squares {
        self.enemy_men | self.enemy_kings
    }

    #[inline(always)]
    fn empty(&self) -> Squares {
        !(self.men | self.kings | self.enemies())
    }

    /// By direction: the squares from which a man could capture, whether or not one stands there.
    #[inline(always)]
    fn jumps(&self) -> [Squares; 2] {
        let (enemies, empty) = (self.enemies(), self.empty());
        Forward::<WHITE>::each(|direction| {
            enemies.step(direction.opposite()) & empty.jump(direction.opposite())
        })
    }

    /// The targets of a king's quiet moves, and whether it can begin a capture.
    #[inline(always)]
    fn king(&self, king: Square) -> (Squares, bool) {
        let empty = self.empty();
        let seen = sight(king, !empty);
        let enemies = seen & self.enemies() & Squares::INNER;
        // With the enemies that it sees gone, does it see an empty square more? One of them has it behind it.
        let captures =
            !enemies.is_empty() && (sight(king, !(empty | enemies)) & empty).without(seen) != Squares::EMPTY;
        (seen & empty, captures)
    }

    /// The kings that can begin a capture.
    #[inline(always)]
    fn capturing_kings(&self) -> Squares {
        self.kings.into_iter().filter(|&king| self.king(king).1).collect()
    }

    /// By direction: where men land that capture, if no capture of a man goes on after its first piece,
    /// which is the common case. Of those only the captures of kings, if there are any.
    #[inline(always)]
    fn single_jumps(&self, jumps: [Squares; 2]) -> Option<[Squares; 2]> {
        let [left, right] = Forward::<WHITE>::DIRECTIONS;
        let men = [jumps[0] & self.men, jumps[1] & self.men];
        let landings = [men[0].jump(left), men[1].jump(right)];
        if (landings[0] | landings[1]).meets(jumps[0] | jumps[1]) {
            return None;
        }
        if !self.enemy_kings.is_empty() {
            let over = [men[0].step(left) & self.enemy_kings, men[1].step(right) & self.enemy_kings];
            if !(over[0] | over[1]).is_empty() {
                return Some([over[0].step(left), over[1].step(right)]);
            }
        }
        Some(landings)
    }

    /// The targets of men's quiet moves, one set for each direction.
    #[inline(always)]
    fn quiet_targets(&self) -> [Squares; 2] {
        let empty = self.empty();
        Forward::<WHITE>::each(|direction| self.men.step(direction) & empty)
    }

    #[inline(always)]
    fn quiet_moves(&self, sink: &mut impl Sink) {
        let targets = self.quiet_targets();
        let [left, right] = Forward::<WHITE>::DIRECTIONS;
        add_men(left, targets[0], sink);
        add_men(right, targets[1], sink);
        for king in self.kings {
            for target in self.king(king).0 {
                sink.add(Move::quiet(king, target));
            }
        }
    }
}

/// The moves of men that arrive on `targets` from a step in `direction`.
#[inline(always)]
fn add_men(direction: Direction, targets: Squares, sink: &mut impl Sink) {
    for to in targets {
        if let Some(from) = to.neighbour(direction.opposite()) {
            sink.add(Move::quiet(from, to));
        }
    }
}

/// The captures of one piece by men that land on `landings` from a jump in `direction`.
#[inline(always)]
fn add_jumps(direction: Direction, landings: Squares, sink: &mut impl Sink) {
    for to in landings {
        let captured = to.set().step(direction.opposite());
        if let Some(from) = captured.step(direction.opposite()).first() {
            sink.add(Move { captured, from, to });
        }
    }
}

/// Where moves go when they are found.
trait Sink {
    fn add(&mut self, m: Move);
}

/// Where captures go when they are followed piece by piece.
trait CaptureSink: Sink {
    /// Forgets the captures so far: a better one was found.
    fn clear(&mut self);
    /// Adds a move unless it was added before, where that can be told.
    fn add_once(&mut self, m: Move) {
        self.add(m);
    }
}

/// Keeps the moves behind those that the list had already.
struct List<'a> {
    moves: &'a mut MoveList<Move>,
    start: usize,
}

impl List<'_> {
    fn behind(moves: &mut MoveList<Move>) -> List<'_> {
        let start = moves.len();
        List { moves, start }
    }
}

impl Sink for List<'_> {
    /// A full list would drop the move; no position comes near (see the head of this file).
    #[inline(always)]
    fn add(&mut self, m: Move) {
        let pushed = self.moves.try_push(m);
        debug_assert!(pushed.is_ok(), "more moves than a list holds");
    }
}

impl CaptureSink for List<'_> {
    fn clear(&mut self) {
        self.moves.truncate(self.start);
    }

    fn add_once(&mut self, m: Move) {
        if !self.moves[self.start..].contains(&m) {
            self.add(m);
        }
    }
}

/// Only counts, and equal moves each time.
struct Count(u64);

impl Sink for Count {
    #[inline(always)]
    fn add(&mut self, _: Move) {
        self.0 += 1;
    }
}

impl CaptureSink for Count {
    fn clear(&mut self) {
        self.0 = 0;
    }
}

/// Counts the enemy's answers to each move.
struct Answers<'a, const WHITE: bool, const ENEMY: bool> {
    view: &'a View<WHITE>,
    count: u64,
}

impl<const WHITE: bool, const ENEMY: bool> Sink for Answers<'_, WHITE, ENEMY> {
    #[inline(always)]
    fn add(&mut self, m: Move) {
        self.count += count(&self.view.after::<ENEMY>(m));
    }
}

impl<const WHITE: bool, const ENEMY: bool> CaptureSink for Answers<'_, WHITE, ENEMY> {
    fn clear(&mut self) {
        self.count = 0;
    }
}

/// Follows captures to their ends and keeps the best.
struct Captures<'a, S> {
    enemies: Squares,
    enemy_kings: Squares,
    best: Rank,
    sink: &'a mut S,
}

impl<'a, S: CaptureSink> Captures<'a, S> {
    fn new<const WHITE: bool>(view: &View<WHITE>, sink: &'a mut S) -> Self {
        Captures { enemies: view.enemies(), enemy_kings: view.enemy_kings, best: Rank::default(), sink }
    }

    /// Is a finished capture among the best so far?
    #[inline(always)]
    fn admits(&mut self, rank: Rank) -> bool {
        if rank > self.best {
            self.best = rank;
            self.sink.clear();
        }
        rank == self.best
    }

    /// Goes on from where the man stands now; the capture ends where it can take no more. On the last
    /// row there is no square in front, so that a man that crowns stops by itself.
    ///
    /// No two routes of a man are equal moves: it takes one piece a row, and those tell its route.
    fn man<const WHITE: bool>(
        &mut self,
        jumps: [Squares; 2],
        from: Square,
        at: Squares,
        captured: Squares,
        rank: Rank,
    ) {
        let [left, right] = jumps.map(|jumps| at.meets(jumps));
        for (can_jump, direction) in [left, right].into_iter().zip(Forward::<WHITE>::DIRECTIONS) {
            if can_jump {
                let over = at.step(direction);
                let rank = rank.taking(over.meets(self.enemy_kings));
                self.man::<WHITE>(jumps, from, at.jump(direction), captured | over, rank);
            }
        }
        if !left
            && !right
            && self.admits(rank)
            && let Some(to) = at.first()
        {
            self.sink.add(Move { captured, from, to });
        }
    }

    fn men<const WHITE: bool>(&mut self, view: &View<WHITE>, men: Squares) {
        let jumps = view.jumps();
        for from in men {
            self.man::<WHITE>(jumps, from, from.set(), Squares::EMPTY, Rank::default());
        }
    }
}

/// What stays the same while one king captures. Captured pieces stay till the end and block, so that
/// only the set of those still to be taken changes on the way.
struct KingRoute {
    from: Square,
    /// Without the king: the square it came from counts as empty.
    occupied: Squares,
    /// The enemies with an empty square behind them, by direction.
    takeable: [Squares; 4],
}

impl<S: CaptureSink> Captures<'_, S> {
    fn king<const WHITE: bool>(&mut self, view: &View<WHITE>, from: Square) {
        let empty = view.empty() | from.set();
        let takeable = Direction::each(|direction| empty.step(direction.opposite()) & self.enemies);
        let route = KingRoute { from, occupied: !empty, takeable };
        for direction in Direction::ALL {
            let over = slide(from, direction, route.occupied).1 & takeable[direction as usize];
            if let Some(over) = over.first() {
                self.behind(&route, direction, over, Squares::EMPTY, Rank::default());
            }
        }
    }

    /// The king jumps over `over` and may land on any empty square behind it.
    fn behind(
        &mut self,
        route: &KingRoute,
        direction: Direction,
        over: Square,
        captured: Squares,
        rank: Rank,
    ) {
        let captured = captured | over.set();
        let rank = rank.taking(self.enemy_kings.contains(over));
        let (landings, next) = slide(over, direction, route.occupied);
        let mut ended = true;

        // Straight on: the same from every landing square, so tried once.
        let next = next & route.takeable[direction as usize].without(captured);
        if let Some(next) = next.first() {
            ended = false;
            self.behind(route, direction, next, captured, rank);
        }
        for sideways in direction.sideways() {
            let takeable = route.takeable[sideways as usize].without(captured);
            if takeable.is_empty() {
                continue;
            }
            for landing in landings {
                if !landing.ray(sideways).meets(takeable) {
                    continue;
                }
                if let Some(next) = (slide(landing, sideways, route.occupied).1 & takeable).first() {
                    ended = false;
                    self.behind(route, sideways, next, captured, rank);
                }
            }
        }
        if ended && self.admits(rank) {
            for to in landings {
                let m = Move { captured, from: route.from, to };
                if rank < Rank::MERGING { self.sink.add(m) } else { self.sink.add_once(m) }
            }
        }
    }
}

impl Position {
    /// The name of a legal move; see [`game::Position::name`].
    #[inline(always)]
    pub(super) fn name_of(&self, m: Move) -> u16 {
        if m.is_capture() {
            self.place_of_capture(m)
        } else {
            QUIET | (m.from.index() << 5 | m.to.index()) as u16
        }
    }

    /// Apart, so that the list takes its place on the stack only here.
    #[inline(never)]
    fn place_of_capture(&self, m: Move) -> u16 {
        let mut moves = MoveList::new();
        self.generate(&mut moves);
        let place = moves.iter().position(|&other| other == m);
        place.expect("only legal moves have names") as u16 + 1
    }

    /// The place among the legal `moves` of the one with that name.
    #[inline(always)]
    pub(super) fn place_of_name(&self, moves: &[Move], name: u16) -> Option<usize> {
        let capture = moves.first()?.is_capture();
        match self.quiet_move_of_name(name) {
            Some(quiet) => moves.iter().position(|&m| m == quiet),
            None => usize::from(name).checked_sub(1).filter(|&place| capture && place < moves.len()),
        }
    }

    /// The quiet move that has such a name, if one has.
    #[inline(always)]
    pub(super) fn quiet_move_of_name(&self, name: u16) -> Option<Move> {
        let square = |bits: u16| Square::new((bits & 31) as u8);
        (name >> 10 == QUIET >> 10).then(|| Move::quiet(square(name >> 5), square(name)))
    }

    /// Does the side to move have to capture?
    pub fn must_capture(&self) -> bool {
        self.could_capture(self.side())
    }

    /// Would this side have to capture, were it to move?
    pub(super) fn could_capture(&self, side: Color) -> bool {
        match side {
            Color::White => View::<true>::of(self).must_capture(),
            Color::Black => View::<false>::of(self).must_capture(),
        }
    }

    /// Appends every legal move: the captures, or where there are none the quiet moves.
    #[inline(always)]
    pub(super) fn generate(&self, moves: &mut MoveList<Move>) {
        let mut list = List::behind(moves);
        match self.side() {
            Color::White => generate(&View::<true>::of(self), &mut list),
            Color::Black => generate(&View::<false>::of(self), &mut list),
        }
    }

    /// The number of legal moves, without making a list of them where that can be helped.
    #[inline(always)]
    pub(super) fn count(&self) -> u64 {
        match self.side() {
            Color::White => count(&View::<true>::of(self)),
            Color::Black => count(&View::<false>::of(self)),
        }
    }

    /// The number of legal answers to all legal moves.
    #[inline(always)]
    pub(super) fn answers(&self) -> u64 {
        match self.side() {
            Color::White => answers::<true, false>(&View::<true>::of(self)),
            Color::Black => answers::<false, true>(&View::<false>::of(self)),
        }
    }

    /// Is there a quiet move of a man to the last row, whether or not a capture forbids it?
    pub(super) fn has_crowning(&self) -> bool {
        match self.side() {
            Color::White => View::<true>::of(self).has_crowning(),
            Color::Black => View::<false>::of(self).has_crowning(),
        }
    }

    /// Appends the quiet moves of men to the last row.
    pub(super) fn crownings(&self, moves: &mut MoveList<Move>) {
        let mut list = List::behind(moves);
        match self.side() {
            Color::White => crownings(&View::<true>::of(self), &mut list),
            Color::Black => crownings(&View::<false>::of(self), &mut list),
        }
    }

    /// Is there a quiet move, whether or not a capture forbids it?
    pub(super) fn has_quiet_move(&self) -> bool {
        match self.side() {
            Color::White => View::<true>::of(self).has_quiet_move(),
            Color::Black => View::<false>::of(self).has_quiet_move(),
        }
    }
}

impl<const WHITE: bool> View<WHITE> {
    fn must_capture(&self) -> bool {
        let [left, right] = self.jumps();
        (left | right).meets(self.men) || !self.capturing_kings().is_empty()
    }

    fn has_crowning(&self) -> bool {
        let [left, right] = self.quiet_targets();
        (left | right).meets(last_row(Self::SIDE))
    }

    fn has_quiet_move(&self) -> bool {
        let [left, right] = self.quiet_targets();
        let empty = self.empty();
        !(left | right).is_empty()
            || Direction::ALL.into_iter().any(|direction| self.kings.step(direction).meets(empty))
    }
}

#[inline(always)]
fn generate<const WHITE: bool>(view: &View<WHITE>, list: &mut List) {
    if let Some(pieces) = plain_moves(view, list) {
        captures(view, pieces, list);
    }
}

/// Those who can begin a capture.
#[derive(Clone, Copy)]
struct Capturers {
    men: Squares,
    kings: Squares,
}

/// Adds the legal moves where they can be told from the sets alone: the quiet ones, or captures of men
/// that all end after one piece. Else gives the pieces whose captures have to be followed.
#[inline(always)]
fn plain_moves<const WHITE: bool>(view: &View<WHITE>, sink: &mut impl Sink) -> Option<Capturers> {
    let jumps = view.jumps();
    let men = (jumps[0] | jumps[1]) & view.men;
    let kings = view.capturing_kings();
    if men.is_empty() && kings.is_empty() {
        view.quiet_moves(sink);
    } else if kings.is_empty()
        && let Some(landings) = view.single_jumps(jumps)
    {
        let [left, right] = Forward::<WHITE>::DIRECTIONS;
        add_jumps(left, landings[0], sink);
        add_jumps(right, landings[1], sink);
    } else {
        return Some(Capturers { men, kings });
    }
    None
}

/// Follows the captures of these pieces; gives the rank of the best.
#[inline(never)]
fn captures<const WHITE: bool, S: CaptureSink>(view: &View<WHITE>, pieces: Capturers, sink: &mut S) -> Rank {
    let mut captures = Captures::new(view, sink);
    captures.men(view, pieces.men);
    for king in pieces.kings {
        captures.king(view, king);
    }
    captures.best
}

#[inline(always)]
fn count<const WHITE: bool>(view: &View<WHITE>) -> u64 {
    let jumps = view.jumps();
    let men = (jumps[0] | jumps[1]) & view.men;
    let (mut kings, mut king_moves) = (Squares::EMPTY, 0);
    for king in view.kings {
        let (targets, captures) = view.king(king);
        king_moves += targets.count();
        kings |= if captures { king.set() } else { Squares::EMPTY };
    }
    let landings = view.single_jumps(jumps).filter(|_| kings.is_empty());
    let Some(landings) = landings else {
        return count_captures(view, Capturers { men, kings });
    };
    // Both are counted, so that the processor need not guess which it will be.
    let quiet = count_both(view.quiet_targets()) + king_moves;
    (if men.is_empty() { quiet } else { count_both(landings) }) as u64
}

/// The sizes of two sets in one sum.
#[inline(always)]
fn count_both([one, other]: [Squares; 2]) -> u32 {
    ((one.0 as u64) << 32 | other.0 as u64).count_ones()
}

/// The number of captures of these pieces.
#[inline(never)]
fn count_captures<const WHITE: bool>(view: &View<WHITE>, pieces: Capturers) -> u64 {
    let mut sink = Count(0);
    let best = captures(view, pieces, &mut sink);
    if pieces.kings.is_empty() || best < Rank::MERGING { sink.0 } else { count_by_list(view, pieces) }
}

/// Long captures of kings have to be compared to be counted. Apart, so that the list takes its place
/// on the stack only here.
#[inline(never)]
fn count_by_list<const WHITE: bool>(view: &View<WHITE>, pieces: Capturers) -> u64 {
    let mut moves = MoveList::new();
    captures(view, pieces, &mut List::behind(&mut moves));
    moves.len() as u64
}

#[inline(always)]
fn answers<const WHITE: bool, const ENEMY: bool>(view: &View<WHITE>) -> u64 {
    let mut answers = Answers::<WHITE, ENEMY> { view, count: 0 };
    if let Some(pieces) = plain_moves(view, &mut answers) {
        let best = captures(view, pieces, &mut answers);
        if !pieces.kings.is_empty() && best >= Rank::MERGING {
            answers_by_list(&mut answers, pieces);
        }
    }
    answers.count
}

/// Counts the answers to the captures of these pieces. Apart for the list's sake, too.
#[inline(never)]
fn answers_by_list<const WHITE: bool, const ENEMY: bool>(
    answers: &mut Answers<WHITE, ENEMY>,
    pieces: Capturers,
) {
    let mut moves = MoveList::new();
    captures(answers.view, pieces, &mut List::behind(&mut moves));
    answers.count = 0;
    for &m in &moves {
        answers.add(m);
    }
}

fn crownings<const WHITE: bool>(view: &View<WHITE>, list: &mut List) {
    let last_row = last_row(View::<WHITE>::SIDE);
    let targets = view.quiet_targets();
    let [left, right] = Forward::<WHITE>::DIRECTIONS;
    add_men(left, targets[0] & last_row, list);
    add_men(right, targets[1] & last_row, list);
}
