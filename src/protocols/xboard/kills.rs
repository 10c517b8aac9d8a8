//! Captures of draughts as XBoard can carry them.
//!
//! XBoard's moves have at most three legs. The squares between the legs, *kill squares*, are emptied
//! once the move is complete, whatever stands there; so a move takes up to [`MOST_KILLS`] victims.
//! Where there are more, the rest stay on XBoard's board as *ghosts*, and later moves of the engine
//! wipe them with the kills they have to spare. Both ends keep the same account:
//! `ghosts = (ghosts - kills) + (victims - kills)`, less the square where the piece lands.

use super::draughts_fen::Board;
use crate::engine::LegalMove;
use crate::game::Color;

/// What one move of XBoard can take off its board.
const MOST_KILLS: usize = 2;

/// The letter of a king (dama) on XBoard's board.
pub const KING: char = 'd';

/// A piece on XBoard's board which the game has no more.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ghost {
    pub square: String,
    pub color: Color,
}

/// The ghosts after each ply since the game began.
#[derive(Clone, Debug, Default)]
pub struct Ghosts {
    /// Before the first move.
    first: Vec<Ghost>,
    plies: Vec<Vec<Ghost>>,
    /// The last position, as our FEN, if it had ghosts, and those; new games leave it.
    seen: Option<(String, Vec<Ghost>)>,
}

impl Ghosts {
    /// Those on XBoard's board now.
    pub fn now(&self) -> &[Ghost] {
        self.plies.last().unwrap_or(&self.first)
    }

    /// A game begins with these on the board.
    pub fn begin(&mut self, ghosts: Vec<Ghost>) {
        self.first = ghosts;
        self.plies.clear();
    }

    /// Takes note of the position, our FEN, to which a move or one taken back has led.
    pub fn remember(&mut self, fen: String) {
        let ghosts = self.now();
        self.seen = (!ghosts.is_empty()).then(|| (fen, ghosts.to_vec()));
    }

    /// What a position set up by XBoard is in truth, if it is the last one with its ghosts among the
    /// pieces: its FEN and the ghosts. XBoard sends it so where its user edits the position that he
    /// sees, after a `new`.
    pub fn recognise(&self, fen: &str) -> Option<(String, Vec<Ghost>)> {
        let (truth, ghosts) = self.seen.as_ref()?;
        let mut board = Board::of_ours(fen);
        let taken = ghosts.iter().all(|ghost| board.take(&ghost.square, ghost.color));
        let same_side = fen.chars().next() == truth.chars().next();
        (taken && same_side && board == Board::of_ours(truth)).then(|| (truth.clone(), ghosts.clone()))
    }

    /// Takes note of a move by `side` and of what it killed on XBoard's board. A move that takes
    /// where it lands, as in chess, leaves no ghost.
    pub fn played(&mut self, side: Color, m: &LegalMove, kills: &[String]) {
        let fallen = m.parts.captured.iter().map(|square| Ghost { square: square.clone(), color: !side });
        let stays = |ghost: &Ghost| !kills.contains(&ghost.square) && ghost.square != m.parts.to;
        let ghosts = self.now().iter().cloned().chain(fallen).filter(stays).collect();
        self.plies.push(ghosts);
    }

    /// Takes note that the last move was taken back.
    pub fn undone(&mut self) {
        self.plies.pop();
    }
}

/// The pieces of the side not to move as XBoard's board shows them.
///
/// XBoard must never see a side without pieces: it would call that a stalemate.
#[derive(Clone, Copy, Debug)]
pub struct Shown<'a> {
    /// Whose they are.
    pub enemy: Color,
    /// How many there are in truth.
    pub pieces: usize,
    pub ghosts: &'a [Ghost],
}

impl Shown<'_> {
    /// The ghosts of a colour that a move to the square `to` does not take in any case.
    fn ghosts_of(&self, color: Color, to: &str) -> impl Iterator<Item = &Ghost> {
        self.ghosts.iter().filter(move |ghost| ghost.color == color && ghost.square != to)
    }

    /// Would so many kills of a move to the square `to` leave none?
    fn is_cleared_by(&self, kills: usize, to: &str) -> bool {
        kills == self.pieces + self.ghosts_of(self.enemy, to).count()
    }

    /// Must the victims of a move entered by mouse stay, since with as many kills as XBoard takes
    /// none would be left?
    pub fn must_stay(&self, m: &LegalMove) -> bool {
        let kills = m.parts.captured.len().min(MOST_KILLS);
        kills > 0 && self.is_cleared_by(kills, &m.parts.to)
    }
}

/// What the engine knows when it writes a move.
pub struct Writing<'a> {
    /// All that may be played, among which the other end must find the move.
    pub legal: &'a [LegalMove],
    /// Before the move.
    pub shown: Shown<'a>,
    /// Is there a second engine, to which XBoard passes the move on?
    pub relayed: bool,
}

impl Writing<'_> {
    /// The squares that XBoard is to empty as `m` is played.
    ///
    /// The last piece that XBoard sees of the other side stays. A ghost of the mover's own colour makes
    /// XBoard pass the move on as if it were castling; where there is a second engine it is left to
    /// that one, for which it is an ordinary victim. Otherwise it goes first: XBoard looks at the last
    /// kill.
    pub fn kills(&self, m: &LegalMove) -> Vec<String> {
        let Shown { enemy, .. } = self.shown;
        let to = &m.parts.to;
        let mut kills = self.telling_victims(m);
        let spare = MOST_KILLS - kills.len();
        kills.extend(self.shown.ghosts_of(enemy, to).take(spare).map(|ghost| ghost.square.clone()));
        if self.shown.is_cleared_by(kills.len(), to) {
            kills.pop();
        }
        if !self.relayed
            && kills.len() < MOST_KILLS
            && let Some(ghost) = self.shown.ghosts_of(!enemy, to).next()
        {
            kills.insert(0, ghost.square.clone());
        }
        kills
    }

    /// Up to [`MOST_KILLS`] of the victims, such that they tell the move from others between the same squares
    /// where that can be.
    fn telling_victims(&self, m: &LegalMove) -> Vec<String> {
        let victims = &m.parts.captured;
        if victims.len() <= MOST_KILLS {
            return victims.clone();
        }
        let pairs = victims.iter().enumerate().flat_map(|(index, first)| {
            victims[index + 1..].iter().map(move |second| vec![first.clone(), second.clone()])
        });
        let tells = |kills: &Vec<String>| find(self.legal, &m.parts.from, &m.parts.to, kills) == Some(m);
        pairs.into_iter().find(tells).unwrap_or_else(|| victims[..MOST_KILLS].to_vec())
    }
}

/// What follows `move` in the lines to XBoard: one line, or two where a single piece is killed. (In
/// 4.9.1 three legs reach their end only in the long form, and two only in two lines.)
pub fn write(m: &LegalMove, kills: &[String]) -> Vec<String> {
    let from = &m.parts.from;
    let crowned = m.parts.promotion.map(|_| KING);
    let to: String = m.parts.to.chars().chain(crowned).collect();
    match kills {
        [] => vec![format!("{from}{to}")],
        [kill] => vec![format!("{from}{kill},"), format!("{kill}{to}")],
        [first, second, ..] => vec![format!("{from}x{first}x{second}-{to}")],
    }
}

/// A move of draughts as XBoard passes it on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Written {
    pub from: String,
    pub to: String,
    /// What XBoard emptied besides.
    pub kills: Vec<String>,
}

impl Written {
    /// Reads `a4b5`, `d3e4,e4f5`, `a2d5,d5f7,f7g8d`, the form with `x` and `-` in which the engine
    /// itself writes, and `c6d5,b7e5`: where the second leg does not begin where the first ended,
    /// XBoard took the move for castling, its second leg begins at a kill square and ends at none.
    pub fn read(text: &str) -> Option<Written> {
        let text = text.strip_suffix([KING, KING.to_ascii_uppercase()]).unwrap_or(text);
        let legs = if text.contains('x') && text.contains('-') {
            vec![squares(&text.replace(['x', '-'], ""))?]
        } else {
            let legs = text.split(',').map(squares).collect::<Option<Vec<_>>>()?;
            legs.iter().all(|leg| leg.len() == 2).then_some(legs)?
        };
        if let [first, second] = &legs[..]
            && first[1] != second[0]
        {
            let [from, to, kill] = [&first[0], &first[1], &second[0]].map(String::clone);
            return Some(Written { from, to, kills: vec![kill] });
        }
        let mut path = legs.concat();
        if path.len() < 2 {
            return None;
        }
        path.dedup();
        let (from, to) = (path.first()?.clone(), path.pop()?);
        Some(Written { from, to, kills: path.split_off(path.len().min(1)) })
    }
}

/// The names of squares that stand one behind the other.
fn squares(text: &str) -> Option<Vec<String>> {
    let pairs = text.as_bytes().chunks(2);
    pairs
        .map(|pair| match pair {
            [b'a'..=b'h', b'1'..=b'8'] => Some(pair.iter().copied().map(char::from).collect()),
            _ => None,
        })
        .collect()
}

/// The legal move from `from` to `to` whose victims agree best with the kills.
pub fn find<'a>(legal: &'a [LegalMove], from: &str, to: &str, kills: &[String]) -> Option<&'a LegalMove> {
    let agreeing = |m: &LegalMove| m.parts.captured.iter().filter(|square| kills.contains(square)).count();
    let fitting = legal.iter().filter(|m| m.parts.from == from && m.parts.to == to);
    // The first of equals, so that both ends choose alike.
    fitting.rev().max_by_key(|m| agreeing(m))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::MoveParts;

    fn capture(from: &str, victims: &[&str], to: &str) -> LegalMove {
        let parts = MoveParts {
            from: from.into(),
            to: to.into(),
            captured: victims.iter().map(|&square| square.into()).collect(),
            promotion: None,
        };
        LegalMove { text: format!("{from}{to}"), notation: String::new(), parts }
    }

    fn strings(texts: &[&str]) -> Vec<String> {
        texts.iter().map(|&text| text.into()).collect()
    }

    fn read(text: &str) -> Option<(String, Vec<String>, String)> {
        Written::read(text).map(|written| (written.from, written.kills, written.to))
    }

    #[test]
    fn every_form_is_read() {
        let squares = |from: &str, kills: &[&str], to: &str| Some((from.into(), strings(kills), to.into()));
        assert_eq!(read("a4b5"), squares("a4", &[], "b5"));
        assert_eq!(read("d3e4,e4f5"), squares("d3", &["e4"], "f5"));
        assert_eq!(read("a2d5,d5f7,f7g8d"), squares("a2", &["d5", "f7"], "g8"));
        assert_eq!(read("h7xg6xc2-b1D"), squares("h7", &["g6", "c2"], "b1"));
        assert_eq!(read("c6d5,b7e5"), squares("c6", &["b7"], "d5"));
        for text in ["", "d", "a4", "a9b5", "10-14", "a4b", "é4b5", "a4b5,", "h1d5a8", "x-", "a4x-"] {
            assert_eq!(read(text), None, "{text}");
        }
    }

    #[test]
    fn kills_tell_moves_apart() {
        let one = capture("e1", &["d2", "d4", "f6"], "e1");
        let other = capture("e1", &["d2", "d4", "h6"], "e1");
        let legal = [one.clone(), other.clone()];
        for m in [&one, &other] {
            let shown = Shown { enemy: Color::Black, pieces: 5, ghosts: &[] };
            let writing = Writing { legal: &legal, shown, relayed: true };
            let kills = writing.kills(m);
            assert_eq!(kills.len(), 2);
            assert_eq!(find(&legal, "e1", "e1", &kills), Some(m));
        }
    }

    #[test]
    fn ghosts_come_and_go() {
        let mut ghosts = Ghosts::default();
        let m = capture("a1", &["b2", "d4", "f6"], "g7");
        let legal = [m.clone()];
        let shown = Shown { enemy: Color::Black, pieces: 4, ghosts: &[] };
        let kills = Writing { legal: &legal, shown, relayed: true }.kills(&m);
        ghosts.played(Color::White, &m, &kills);
        let ghost = Ghost { square: "f6".into(), color: Color::Black };
        assert_eq!(ghosts.now(), [ghost]);

        // Black cannot wipe his own ghost on its way to another engine, but for a human he does.
        let reply = capture("h6", &[], "g5");
        let shown = Shown { enemy: Color::White, pieces: 4, ghosts: ghosts.now() };
        let mut writing = Writing { legal: &legal, shown, relayed: true };
        assert_eq!(writing.kills(&reply), strings(&[]));
        writing.relayed = false;
        assert_eq!(writing.kills(&reply), strings(&["f6"]));

        // White wipes it with a kill to spare, unless it is the last black piece to be seen.
        let next = capture("g7", &["h6"], "f8");
        let shown = Shown { enemy: Color::Black, pieces: 1, ghosts: ghosts.now() };
        writing = Writing { legal: &legal, shown, relayed: true };
        assert_eq!(writing.kills(&next), strings(&["h6"]));
        writing.shown.pieces = 2;
        assert_eq!(writing.kills(&next), strings(&["h6", "f6"]));

        ghosts.undone();
        assert_eq!(ghosts.now(), []);
    }

    #[test]
    fn a_position_is_recognised_behind_its_ghosts() {
        let mut ghosts = Ghosts::default();
        let m = capture("d1", &["e2", "g4", "g6"], "f7");
        ghosts.played(Color::White, &m, &strings(&["e2", "g4"]));
        let truth = "B:WK26:B32:H0:F1";
        ghosts.remember(truth.into());
        ghosts.begin(Vec::new());
        let ghost = Ghost { square: "g6".into(), color: Color::Black };
        assert_eq!(ghosts.recognise("B:WK26:B21,32:H0:F1"), Some((truth.into(), vec![ghost])));
        for other in ["W:WK26:B21,32", "B:WK26:B32", "B:WK26,21:B32", "B:WK26:B21,31"] {
            assert_eq!(ghosts.recognise(other), None, "{other}");
        }
        // Where the last board had none, a position is what it says.
        ghosts.remember(truth.into());
        assert_eq!(ghosts.recognise("B:WK26:B21,32"), None);
    }

    #[test]
    fn lines_to_xboard() {
        let m = capture("d3", &["e4"], "f5");
        assert_eq!(write(&m, &strings(&["e4"])), ["d3e4,", "e4f5"]);
        assert_eq!(write(&m, &[]), ["d3f5"]);
        let mut crowned = capture("a6", &["b7"], "c8");
        crowned.parts.promotion = Some('k');
        assert_eq!(write(&crowned, &strings(&["b7"])), ["a6b7,", "b7c8d"]);
        assert_eq!(write(&capture("h7", &[], "b1"), &strings(&["g6", "c2"])), ["h7xg6xc2-b1"]);
    }
}
