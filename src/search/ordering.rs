//! In which order the moves of a node are tried, and that none is generated before its turn.

use super::history::{History, Past, SCORE_LIMIT};
use crate::game::{MoveList, Position};

/// A move with what speaks for trying it early.
#[derive(Clone, Copy)]
struct Scored<M> {
    m: M,
    score: i32,
}

/// The moves of all nodes from the root to the present one, on one stack; each node owns its top.
///
/// One stack a thread keeps a node's moves together in memory and the search's own stack small.
pub struct MoveStack<P: Position> {
    moves: Vec<Scored<P::Move>>,
    /// Where the game writes its moves before they are scored.
    fresh: Box<MoveList<P::Move>>,
}

/// What a node's moves are ordered by.
pub struct Order<'a, P: Position> {
    pub position: &'a P,
    pub history: &'a History,
    pub past: &'a Past,
    /// Names of the killers.
    pub killers: [u16; 2],
}

impl<P: Position> Order<'_, P> {
    #[inline(always)]
    fn noisy_score(&self, m: P::Move) -> i32 {
        let gain = CENTIPAWN * self.position.noisy_value(m);
        if P::FORCED_CAPTURES {
            // Nothing is learnt of such captures.
            return gain;
        }
        gain + self.history.noisy_score(self.past, self.position.history_slot(m))
    }

    /// A move that is tried without being compared with others.
    fn picked_at_once(&self, m: P::Move) -> Picked<P::Move> {
        let score = self.history.score(self.past, self.position.history_slot(m));
        Picked { m, noisy: self.position.is_noisy(m), losing: false, score }
    }

    #[inline(always)]
    fn quiet_score(&self, m: P::Move) -> i32 {
        let [first, second] = self.killers;
        match self.position.name(m) {
            killer if killer == first => KILLER,
            killer if killer == second => KILLER - 1,
            _ => self.history.score(self.past, self.position.history_slot(m)),
        }
    }
}

/// The next move of a node.
#[derive(Clone, Copy)]
pub struct Picked<M> {
    pub m: M,
    pub noisy: bool,
    /// A noisy move that loses material by exchange evaluation.
    pub losing: bool,
    /// For quiet moves [`History::score`], or more for a killer; for noisy ones of no meaning.
    pub score: i32,
}

/// A node's part of the [`MoveStack`], and how far it has come.
pub struct NodeMoves<M> {
    stage: Stage,
    quiets: Quiets,
    /// The table's move, if it is legal; tried first.
    table_move: Option<M>,
    /// The name of the move to be tried first, where all are generated at once.
    first: u16,
    /// From `base` up to here lie the noisy moves that lose material, to be tried last.
    losing_end: usize,
    base: usize,
    next: usize,
    end: usize,
}

/// Which quiet moves a node wants.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Quiets {
    All,
    /// Those that give check.
    Checks,
    None,
}

/// From the likeliest to refute to the least.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Stage {
    TableMove,
    GenerateNoisy,
    Noisy,
    GenerateQuiets,
    Quiets,
    LosingNoisy,
    /// All at once, where captures are forced: then all moves are captures or (but for crownings) none is.
    GenerateAll,
    All,
    /// Moves in the order in which they were given.
    Given,
}

/// Where all moves are scored together, noisy ones begin here; what a gain adds or takes away is less than that far from
/// the quiet ones.
const NOISY: i32 = 1 << 20;
/// No quiet move has a higher score.
const KILLER: i32 = 1 << 17;
const _: () = assert!(SCORE_LIMIT < KILLER / 2);
/// The worth of a centipawn of gain against [`History::noisy_score`].
const CENTIPAWN: i32 = 16;

impl<P: Position> MoveStack<P> {
    pub fn new() -> Self {
        MoveStack { moves: Vec::with_capacity(8192), fresh: Box::default() }
    }

    /// All legal moves of `position`, the one with the name `table_move` first.
    pub fn begin(&self, position: &P, table_move: u16) -> NodeMoves<P::Move> {
        if P::FORCED_CAPTURES {
            NodeMoves { first: table_move, ..self.node(Stage::GenerateAll, Quiets::All, None) }
        } else {
            self.node(Stage::TableMove, Quiets::All, position.find(table_move))
        }
    }

    /// The noisy moves of `position` and some quiet ones or none, the one with the name `table_move` first.
    pub fn begin_noisy(&self, position: &P, table_move: u16, quiets: Quiets) -> NodeMoves<P::Move> {
        if P::FORCED_CAPTURES {
            self.node(Stage::GenerateNoisy, Quiets::None, None)
        } else {
            let table_move = position.find(table_move).filter(|&m| position.is_noisy(m));
            self.node(Stage::TableMove, quiets, table_move)
        }
    }

    /// Given moves in the given order.
    pub fn begin_given(&mut self, moves: impl Iterator<Item = P::Move>) -> NodeMoves<P::Move> {
        let mut node = self.node(Stage::Given, Quiets::All, None);
        self.moves.extend(moves.map(|m| Scored { m, score: 0 }));
        node.end = self.moves.len();
        node
    }

    fn node(&self, stage: Stage, quiets: Quiets, table_move: Option<P::Move>) -> NodeMoves<P::Move> {
        let top = self.moves.len();
        NodeMoves { stage, quiets, table_move, first: 0, losing_end: top, base: top, next: top, end: top }
    }

    /// The next move to try; among equals the one that was generated first.
    ///
    /// What a node does once is in functions of their own, so that picking a move stays short.
    pub fn next(&mut self, node: &mut NodeMoves<P::Move>, order: &Order<P>) -> Option<Picked<P::Move>> {
        debug_assert_eq!(self.moves.len(), node.end);
        // There nearly all moves are picked at this stage.
        if P::FORCED_CAPTURES && node.stage == Stage::All {
            return self.next_of_all(node, order);
        }
        loop {
            match node.stage {
                Stage::TableMove => {
                    node.stage = Stage::GenerateNoisy;
                    if let Some(m) = node.table_move {
                        return Some(order.picked_at_once(m));
                    }
                }
                Stage::GenerateNoisy => {
                    self.generate_noisy(node, order);
                    node.stage = Stage::Noisy;
                }
                Stage::Noisy => match self.take_best(node) {
                    Some(Scored { m, .. }) if !order.position.wins_exchange(m, 0) => {
                        // Its place among the moves that are done is free.
                        self.moves[node.losing_end] = Scored { m, score: 0 };
                        node.losing_end += 1;
                    }
                    Some(Scored { m, score }) => {
                        return Some(Picked { m, noisy: true, losing: false, score });
                    }
                    None => node.stage = Stage::GenerateQuiets,
                },
                Stage::GenerateQuiets => {
                    self.generate_quiets(node, order);
                    node.stage = Stage::Quiets;
                }
                Stage::Quiets => {
                    let best = if node.quiets == Quiets::None { None } else { self.take_best(node) };
                    match best {
                        Some(Scored { m, score }) => {
                            return Some(Picked { m, noisy: false, losing: false, score });
                        }
                        None => {
                            node.next = node.base;
                            node.stage = Stage::LosingNoisy;
                        }
                    }
                }
                Stage::LosingNoisy => {
                    let Scored { m, score } = *self.moves[..node.losing_end].get(node.next)?;
                    node.next += 1;
                    return Some(Picked { m, noisy: true, losing: true, score });
                }
                Stage::GenerateAll => {
                    let first = self.generate_all(node, order);
                    node.stage = Stage::All;
                    if let Some(m) = first {
                        return Some(order.picked_at_once(m));
                    }
                }
                Stage::All => return self.next_of_all(node, order),
                Stage::Given => {
                    let Scored { m, .. } = *self.moves[..node.end].get(node.next)?;
                    node.next += 1;
                    return Some(order.picked_at_once(m));
                }
            }
        }
    }

    /// The next move where all were generated at once.
    #[inline(always)]
    fn next_of_all(&mut self, node: &mut NodeMoves<P::Move>, order: &Order<P>) -> Option<Picked<P::Move>> {
        let Scored { m, score } = self.take_best(node)?;
        let noisy = score > KILLER;
        debug_assert_eq!(noisy, order.position.is_noisy(m));
        if !noisy && node.quiets == Quiets::None {
            // So are all that are still to come.
            return None;
        }
        Some(Picked { m, noisy, losing: false, score })
    }

    #[inline(never)]
    fn generate_noisy(&mut self, node: &mut NodeMoves<P::Move>, order: &Order<P>) {
        self.fresh.clear();
        order.position.noisy_moves(&mut self.fresh);
        self.push_fresh(node, |m| order.noisy_score(m));
    }

    #[inline(never)]
    fn generate_quiets(&mut self, node: &mut NodeMoves<P::Move>, order: &Order<P>) {
        self.fresh.clear();
        match node.quiets {
            Quiets::All => order.position.quiet_moves(&mut self.fresh),
            Quiets::Checks => order.position.quiet_checks(&mut self.fresh),
            Quiets::None => return,
        }
        self.push_fresh(node, |m| order.quiet_score(m));
    }

    /// Gives the move to be tried first, if it is there.
    #[inline(never)]
    fn generate_all(&mut self, node: &mut NodeMoves<P::Move>, order: &Order<P>) -> Option<P::Move> {
        let position = order.position;
        self.fresh.clear();
        position.legal_moves(&mut self.fresh);
        let mut first = None;
        if node.first != 0
            && let Some(place) = position.place(&self.fresh, node.first)
        {
            self.fresh.swap(0, place);
            first = Some(self.fresh[0]);
            node.next += 1;
        }
        // Often nothing has to be chosen.
        let single = self.fresh.len() == 1;
        let score = |m| match (position.is_noisy(m), single) {
            (true, true) => NOISY,
            (true, false) => NOISY + order.noisy_score(m),
            (false, true) => 0,
            (false, false) => order.quiet_score(m),
        };
        self.moves.extend(self.fresh.iter().map(|&m| Scored { m, score: score(m) }));
        node.end = self.moves.len();
        first
    }

    /// Appends the moves just generated, but for the one that was tried first.
    fn push_fresh(&mut self, node: &mut NodeMoves<P::Move>, mut score: impl FnMut(P::Move) -> i32) {
        let untried = self.fresh.iter().filter(|&&m| Some(m) != node.table_move);
        self.moves.extend(untried.map(|&m| Scored { m, score: score(m) }));
        node.end = self.moves.len();
    }

    fn take_best(&mut self, node: &mut NodeMoves<P::Move>) -> Option<Scored<P::Move>> {
        let rest = &mut self.moves[node.next..node.end];
        // Two numbers only are carried along, which the processor does without guessing at what comes.
        let (mut best, mut score) = (0, rest.first()?.score);
        for (index, candidate) in rest.iter().enumerate().skip(1) {
            let better = candidate.score > score;
            best = if better { index } else { best };
            score = if better { candidate.score } else { score };
        }
        let found = rest[best];
        rest.swap(0, best);
        node.next += 1;
        Some(found)
    }

    /// The moves that were generated and not picked yet, in no order.
    pub fn untried(&self, node: &NodeMoves<P::Move>) -> impl Iterator<Item = P::Move> {
        self.moves[node.next..node.end].iter().map(|scored| scored.m)
    }

    /// Gives a node's part back.
    pub fn end(&mut self, node: NodeMoves<P::Move>) {
        self.moves.truncate(node.base);
    }
}

impl<M: Copy> NodeMoves<M> {
    /// Is there but one move? Known once the first was picked, where all moves are generated at once.
    pub fn is_single(&self) -> bool {
        self.end - self.base == 1
    }

    /// The table's move, if it is legal. Not known where all moves are generated at once.
    pub fn table_move(&self) -> Option<M> {
        self.table_move
    }

    /// Leaves out the quiet moves that are still to come.
    pub fn skip_quiets(&mut self) {
        self.quiets = Quiets::None;
    }
}
