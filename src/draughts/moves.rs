//! Moves, and the legal ones of a position.
//!
//! Men are found as whole sets: one shift steps all of them. Kings look along their rays one by one.
//! Captures are followed piece by piece to their end; only the best so far by (pieces, kings) are kept,
//! which is the rule of quantity and the rule of quality in one comparison.
//!
//! The search for captures cannot run away, whatever a FEN sets up: only the 18 squares off the edge
//! can be captured on, and each piece there needs an empty square behind it. Climbing from random
//! positions with up to 31 enemy pieces to worse and worse ones ended below 80 moves (the most are
//! quiet, of lone kings: `W:WK1-4,K8,K9,K16,K17,K24,K25,K29-32:B`) and at some 10 microseconds for
//! the captures (`W:WK1,K8,K24,K25,K29:BK4-6,K12-14,K20-22,K28`).

use super::position::Position;
use super::squares::{Direction, Square, Squares, slide};
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

impl game::Move for Move {
    /// Quiet moves are told apart for certain, and captures from quiet moves almost always.
    fn fingerprint(self) -> u16 {
        let squares = (self.from.index() << 5 | self.to.index()) as u16;
        // The upper bits of a product depend on all bits of the set (Fibonacci hashing).
        let captured = (self.captured.0.wrapping_mul(0x9e37_79b1) >> 16) as u16;
        // The high bit keeps it from being 0.
        0x8000 | (captured ^ squares)
    }
}

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
}

/// The board as the side to move sees it.
#[derive(Clone, Copy)]
struct View {
    men: Squares,
    kings: Squares,
    enemies: Squares,
    enemy_kings: Squares,
    occupied: Squares,
}

impl View {
    #[inline(always)]
    fn of<const WHITE: bool>(position: &Position) -> View {
        let (own, enemy) = if WHITE { (Color::White, Color::Black) } else { (Color::Black, Color::White) };
        let enemies = position.pieces(enemy);
        View {
            men: position.men(own),
            kings: position.kings(own),
            enemies,
            enemy_kings: position.kings(enemy),
            occupied: position.pieces(own) | enemies,
        }
    }

    /// By direction: the squares from which a man could capture, whether or not one stands there.
    #[inline(always)]
    fn jumps<const WHITE: bool>(&self) -> [Squares; 2] {
        Forward::<WHITE>::DIRECTIONS.map(|direction| self.takeable(direction).step(direction.opposite()))
    }

    /// The enemies with an empty square behind them.
    #[inline(always)]
    fn takeable(&self, direction: Direction) -> Squares {
        (!self.occupied).step(direction.opposite()) & self.enemies
    }

    /// The kings that can begin a capture.
    #[inline(always)]
    fn capturing_kings(&self) -> Squares {
        if self.kings.is_empty() {
            return Squares::EMPTY;
        }
        let takeable = Direction::ALL.map(|direction| self.takeable(direction));
        let can = |king: Square| {
            Direction::ALL.into_iter().zip(takeable).any(|(direction, takeable)| {
                // Few rays have anything to take, and this test is cheap.
                king.ray(direction).meets(takeable) && slide(king, direction, self.occupied).1.meets(takeable)
            })
        };
        self.kings.into_iter().filter(|&king| can(king)).collect()
    }

    /// By direction: where men land that capture, if no capture of a man goes on after its first piece,
    /// which is the common case. Of those only the captures of kings, if there are any.
    #[inline(always)]
    fn single_jumps<const WHITE: bool>(&self, jumps: [Squares; 2]) -> Option<[Squares; 2]> {
        let [left, right] = Forward::<WHITE>::DIRECTIONS;
        let over = [(jumps[0] & self.men).step(left), (jumps[1] & self.men).step(right)];
        let landings = [over[0].step(left), over[1].step(right)];
        if (landings[0] | landings[1]).meets(jumps[0] | jumps[1]) {
            return None;
        }
        if (over[0] | over[1]).meets(self.enemy_kings) {
            return Some([(over[0] & self.enemy_kings).step(left), (over[1] & self.enemy_kings).step(right)]);
        }
        Some(landings)
    }

    /// The targets of men's quiet moves, one set for each direction.
    #[inline(always)]
    fn quiet_targets<const WHITE: bool>(&self) -> [Squares; 2] {
        Forward::<WHITE>::DIRECTIONS.map(|direction| self.men.step(direction).without(self.occupied))
    }

    /// The targets of a king's quiet moves.
    #[inline(always)]
    fn king_targets(&self, king: Square) -> Squares {
        Direction::ALL
            .into_iter()
            .fold(Squares::EMPTY, |targets, direction| targets | slide(king, direction, self.occupied).0)
    }

    fn quiet_moves<const WHITE: bool>(&self, moves: &mut MoveList<Move>) {
        for (direction, targets) in
            Forward::<WHITE>::DIRECTIONS.into_iter().zip(self.quiet_targets::<WHITE>())
        {
            push_men(direction, targets, moves);
        }
        for king in self.kings {
            for target in self.king_targets(king) {
                push(moves, Move::quiet(king, target));
            }
        }
    }
}

/// The moves of men that arrive on `targets` from a step in `direction`.
#[inline(always)]
fn push_men(direction: Direction, targets: Squares, moves: &mut MoveList<Move>) {
    for to in targets {
        if let Some(from) = to.neighbour(direction.opposite()) {
            push(moves, Move::quiet(from, to));
        }
    }
}

/// The captures of one piece by men that land on `landings` from a jump in `direction`.
#[inline(always)]
fn push_jumps(direction: Direction, landings: Squares, moves: &mut MoveList<Move>) {
    for to in landings {
        let over = to.set().step(direction.opposite());
        if let Some(from) = over.step(direction.opposite()).first() {
            push(moves, Move { captured: over, from, to });
        }
    }
}

/// A full list would drop the move; no position comes near (see the head of this file).
#[inline(always)]
fn push(moves: &mut MoveList<Move>, m: Move) {
    let pushed = moves.try_push(m);
    debug_assert!(pushed.is_ok(), "more moves than a list holds");
}

/// Where captures go when they are found.
trait Sink {
    /// Forgets the captures so far: a better one was found.
    fn clear(&mut self);
    fn add(&mut self, m: Move);
    /// Adds a move unless it was added before, where that can be told.
    fn add_once(&mut self, m: Move) {
        self.add(m);
    }
}

/// Keeps the captures behind the moves that the list had already.
struct List<'a> {
    moves: &'a mut MoveList<Move>,
    start: usize,
}

impl Sink for List<'_> {
    #[inline(always)]
    fn clear(&mut self) {
        self.moves.truncate(self.start);
    }

    #[inline(always)]
    fn add(&mut self, m: Move) {
        push(self.moves, m);
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
    fn clear(&mut self) {
        self.0 = 0;
    }

    #[inline(always)]
    fn add(&mut self, _: Move) {
        self.0 += 1;
    }
}

/// Follows captures to their ends and keeps the best.
struct Captures<S> {
    enemies: Squares,
    enemy_kings: Squares,
    best: Rank,
    sink: S,
}

impl<S: Sink> Captures<S> {
    fn new(view: &View, sink: S) -> Self {
        Captures { enemies: view.enemies, enemy_kings: view.enemy_kings, best: Rank::default(), sink }
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
        from: Square,
        at: Squares,
        empty: Squares,
        captured: Squares,
        rank: Rank,
    ) {
        let mut ended = true;
        for direction in Forward::<WHITE>::DIRECTIONS {
            let over = at.step(direction) & self.enemies;
            let landing = over.step(direction) & empty;
            if !landing.is_empty() {
                ended = false;
                let rank = rank.taking(over.meets(self.enemy_kings));
                self.man::<WHITE>(from, landing, empty, captured | over, rank);
            }
        }
        if ended
            && self.admits(rank)
            && let Some(to) = at.first()
        {
            self.sink.add(Move { captured, from, to });
        }
    }

    fn men<const WHITE: bool>(&mut self, view: &View, men: Squares) {
        for from in men {
            self.man::<WHITE>(from, from.set(), !view.occupied, Squares::EMPTY, Rank::default());
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

impl<S: Sink> Captures<S> {
    fn king(&mut self, view: &View, from: Square) {
        let view = View { occupied: view.occupied.without(from.set()), ..*view };
        let takeable = Direction::ALL.map(|direction| view.takeable(direction));
        let route = KingRoute { from, occupied: view.occupied, takeable };
        for direction in Direction::ALL {
            let over = slide(from, direction, view.occupied).1 & takeable[direction as usize];
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
    /// Does the side to move have to capture?
    pub fn must_capture(&self) -> bool {
        match self.side() {
            Color::White => must_capture::<true>(self),
            Color::Black => must_capture::<false>(self),
        }
    }

    /// Appends every legal move: the captures, or where there are none the quiet moves.
    pub(super) fn generate(&self, moves: &mut MoveList<Move>) {
        match self.side() {
            Color::White => generate::<true>(self, moves),
            Color::Black => generate::<false>(self, moves),
        }
    }

    /// The number of legal moves, without making a list of them where that can be helped.
    pub(super) fn count(&self) -> u64 {
        match self.side() {
            Color::White => count::<true>(self),
            Color::Black => count::<false>(self),
        }
    }

    /// Appends the quiet moves of men to the last row.
    pub(super) fn crownings(&self, moves: &mut MoveList<Move>) {
        match self.side() {
            Color::White => crownings::<true>(self, moves),
            Color::Black => crownings::<false>(self, moves),
        }
    }

    /// Is there a quiet move, whether or not a capture forbids it?
    pub(super) fn has_quiet_move(&self) -> bool {
        match self.side() {
            Color::White => has_quiet_move::<true>(self),
            Color::Black => has_quiet_move::<false>(self),
        }
    }
}

fn must_capture<const WHITE: bool>(position: &Position) -> bool {
    let view = View::of::<WHITE>(position);
    let [left, right] = view.jumps::<WHITE>();
    (left | right).meets(view.men) || !view.capturing_kings().is_empty()
}

fn generate<const WHITE: bool>(position: &Position, moves: &mut MoveList<Move>) {
    let view = View::of::<WHITE>(position);
    let jumps = view.jumps::<WHITE>();
    let men = (jumps[0] | jumps[1]) & view.men;
    let kings = view.capturing_kings();
    if men.is_empty() && kings.is_empty() {
        view.quiet_moves::<WHITE>(moves);
    } else if kings.is_empty()
        && let Some(landings) = view.single_jumps::<WHITE>(jumps)
    {
        for (direction, landings) in Forward::<WHITE>::DIRECTIONS.into_iter().zip(landings) {
            push_jumps(direction, landings, moves);
        }
    } else {
        let start = moves.len();
        captures::<WHITE, _>(&view, men, kings, List { moves, start });
    }
}

/// Follows the captures of these men and kings.
#[inline(never)]
fn captures<const WHITE: bool, S: Sink>(view: &View, men: Squares, kings: Squares, sink: S) -> Captures<S> {
    let mut captures = Captures::new(view, sink);
    captures.men::<WHITE>(view, men);
    for king in kings {
        captures.king(view, king);
    }
    captures
}

fn count<const WHITE: bool>(position: &Position) -> u64 {
    let view = View::of::<WHITE>(position);
    let jumps = view.jumps::<WHITE>();
    let men = (jumps[0] | jumps[1]) & view.men;
    let kings = view.capturing_kings();
    if men.is_empty() && kings.is_empty() {
        let kings = view.kings.into_iter().map(|king| view.king_targets(king).count());
        (count_both(view.quiet_targets::<WHITE>()) + kings.sum::<u32>()) as u64
    } else if kings.is_empty()
        && let Some(landings) = view.single_jumps::<WHITE>(jumps)
    {
        count_both(landings) as u64
    } else {
        let captures = captures::<WHITE, _>(&view, men, kings, Count(0));
        if kings.is_empty() || captures.best < Rank::MERGING {
            captures.sink.0
        } else {
            count_by_list::<WHITE>(&view, men, kings)
        }
    }
}

/// The sizes of two sets in one sum.
#[inline(always)]
fn count_both([one, other]: [Squares; 2]) -> u32 {
    ((one.0 as u64) << 32 | other.0 as u64).count_ones()
}

/// Long captures of kings have to be compared to be counted. Apart, so that the list takes its place
/// on the stack only here.
#[inline(never)]
fn count_by_list<const WHITE: bool>(view: &View, men: Squares, kings: Squares) -> u64 {
    let mut moves = MoveList::new();
    captures::<WHITE, _>(view, men, kings, List { moves: &mut moves, start: 0 });
    moves.len() as u64
}

fn crownings<const WHITE: bool>(position: &Position, moves: &mut MoveList<Move>) {
    let view = View::of::<WHITE>(position);
    let last_row = Squares::row(if WHITE { 7 } else { 0 });
    for (direction, targets) in Forward::<WHITE>::DIRECTIONS.into_iter().zip(view.quiet_targets::<WHITE>()) {
        push_men(direction, targets & last_row, moves);
    }
}

fn has_quiet_move<const WHITE: bool>(position: &Position) -> bool {
    let view = View::of::<WHITE>(position);
    let empty = !view.occupied;
    view.quiet_targets::<WHITE>().into_iter().any(|targets| !targets.is_empty())
        || Direction::ALL.into_iter().any(|direction| view.kings.step(direction).meets(empty))
}
