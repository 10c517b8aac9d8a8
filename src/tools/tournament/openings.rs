//! Where games begin: opening lines from a file or the built-in ones, and their order.
//!
//! A file holds a line an opening: moves from the start position (`a4a5 g12e10 …`, move numbers do no
//! harm), or a FEN, after which `moves` and more moves may stand. Empty lines and those that begin
//! with `#` do not count.

use std::path::Path;

use anyhow::{Context, bail, ensure};

use crate::engine::{Options, Session, Variant};

/// Where one pair of games begins. The game is not over there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Opening {
    /// `None`: the start position.
    pub fen: Option<String>,
    /// In coordinates.
    pub moves: Vec<String>,
}

/// The openings of a match, in the order of their file.
#[derive(Clone, Debug)]
pub struct Openings {
    openings: Vec<Opening>,
    order: Vec<usize>,
    seed: u64,
}

/// The lines that come with the program.
pub const fn built_in(variant: Variant) -> &'static str {
    match variant {
        Variant::GrandeAcedrex => include_str!("../../../book/openings/grande-acedrex.txt"),
        Variant::SpanishDraughts => include_str!("../../../book/openings/spanish-draughts.txt"),
    }
}

impl Openings {
    /// Reads the openings of a text. Where `shuffled`, they come in an order that `seed` decides,
    /// else in the order of the text.
    ///
    /// # Errors
    /// For a line that cannot be read, names an illegal move or leads to the end of a game, and
    /// where there is none at all.
    pub fn read(
        text: &str,
        variant: Variant,
        rules: &Options,
        shuffled: bool,
        seed: u64,
    ) -> anyhow::Result<Self> {
        let mut session = variant.start(rules);
        let mut openings = Vec::new();
        for (index, line) in text.lines().enumerate() {
            let line = line.trim();
            if !line.is_empty() && !line.starts_with('#') {
                let opening = read_line(line, &mut *session);
                openings.push(opening.with_context(|| format!("openings, line {}", index + 1))?);
            }
        }
        ensure!(!openings.is_empty(), "there are no openings");
        let mut order: Vec<usize> = (0..openings.len()).collect();
        if shuffled {
            fastrand::Rng::with_seed(seed).shuffle(&mut order);
        }
        Ok(Openings { openings, order, seed })
    }

    /// Reads a file as [`Openings::read`] does.
    ///
    /// # Errors
    /// As there, and where the file cannot be read.
    pub fn from_file(
        path: &Path,
        variant: Variant,
        rules: &Options,
        shuffled: bool,
        seed: u64,
    ) -> anyhow::Result<Self> {
        let name = path.display();
        let text = std::fs::read_to_string(path).with_context(|| format!("{name}"))?;
        Self::read(&text, variant, rules, shuffled, seed).with_context(|| format!("{name}"))
    }

    /// The number (from 0, in the file) of the opening of a round. Once all were played they come
    /// again. A pair that is replayed gets one drawn by lot, from the seed, the round and the attempt.
    pub fn number(&self, round: u32, attempt: u32) -> usize {
        let place = match attempt {
            0 => round as usize % self.order.len(),
            _ => {
                let seed = self.seed ^ (u64::from(round) << 32 | u64::from(attempt));
                fastrand::Rng::with_seed(seed).usize(0..self.order.len())
            }
        };
        self.order[place]
    }

    /// The opening of a number that [`Openings::number`] gave.
    pub fn get(&self, number: usize) -> &Opening {
        &self.openings[number]
    }

    /// Does any opening begin elsewhere than at the start position?
    pub fn has_positions(&self) -> bool {
        self.openings.iter().any(|opening| opening.fen.is_some())
    }

    /// Tells sets of openings and their orders apart.
    pub fn fingerprint(&self) -> String {
        // FNV-1a, as published by Fowler, Noll and Vo: the same on every machine and in every version.
        let text = format!("{:?} {:?}", self.openings, self.order);
        let hash = text.bytes().fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
            (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
        });
        format!("{hash:016x}")
    }
}

fn read_line(line: &str, session: &mut dyn Session) -> anyhow::Result<Opening> {
    let is_fen = line.contains(['/', ':']);
    let (fen, moves) = match line.split_once(" moves ") {
        Some((fen, moves)) => (Some(fen.trim()), moves),
        None if is_fen => (Some(line), ""),
        None => (None, line),
    };
    let moves: Vec<&str> = moves.split_whitespace().filter(|word| !word.ends_with('.')).collect();
    session.set_position(fen, &moves)?;
    if let Some(ending) = session.ending() {
        bail!("the game is over there: {}", ending.reason);
    }
    Ok(Opening {
        fen: fen.map(|_| session.first_fen()),
        moves: session.moves().into_iter().map(|m| m.text).collect(),
    })
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    fn read(text: &str, variant: Variant) -> anyhow::Result<Openings> {
        Openings::read(text, variant, &Options::default(), false, 1)
    }

    #[test]
    fn built_in_openings_are_enough_and_all_different() {
        for variant in Variant::ALL {
            let openings = read(built_in(variant), variant).unwrap();
            assert!(openings.openings.len() >= 500, "{}", openings.openings.len());
            assert!(!openings.has_positions(), "ShaMax takes moves only");
            let mut session = variant.start(&Options::default());
            let mut keys = HashSet::new();
            for opening in &openings.openings {
                let moves: Vec<&str> = opening.moves.iter().map(String::as_str).collect();
                session.set_position(None, &moves).unwrap();
                assert!(keys.insert(session.key()), "twice: {opening:?}");
            }
        }
    }

    #[test]
    fn lines_of_all_kinds() {
        let text = "# comment\n\n1. a4a5 a9a8\nrlugcakcgulr/12/12/pppppppppppp/12/12/12/12/PPPPPPPPPPPP/12/12/RLUGCAKCGULR w Kk - 0 1 moves g1e3\n";
        let openings = read(text, Variant::GrandeAcedrex).unwrap();
        assert_eq!(openings.openings.len(), 2);
        assert_eq!(openings.get(0), &Opening { fen: None, moves: vec!["a4a5".into(), "a9a8".into()] });
        assert!(openings.has_positions());
        let openings = read("9-13 24-20\nW:WK1:BK32\n", Variant::SpanishDraughts).unwrap();
        assert_eq!(openings.get(0).moves, ["h3g4", "a6b5"].map(String::from));
        assert!(openings.get(1).fen.is_some());
        for wrong in ["", "# only\n", "a4a9", "W:WK1:B", "nonsense/"] {
            assert!(read(wrong, Variant::GrandeAcedrex).is_err(), "{wrong}");
        }
    }

    #[test]
    fn orders_are_reproducible() {
        let order = |shuffled, seed| {
            let text = built_in(Variant::SpanishDraughts);
            let openings =
                Openings::read(text, Variant::SpanishDraughts, &Options::default(), shuffled, seed).unwrap();
            (0..20).map(|round| openings.number(round, round % 2)).collect::<Vec<_>>()
        };
        assert_eq!(order(true, 7), order(true, 7));
        assert_ne!(order(true, 7), order(true, 8));
        assert_ne!(order(true, 7), order(false, 7));
    }
}
