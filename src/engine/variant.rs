//! Which games there are: the one place that names them all.

use std::ffi::OsStr;

use super::options::Options;
use super::session::Session;
use crate::game::{Fitted, Game, Position};
use crate::{acedrex, draughts};

/// A game that can be chosen. A new one takes an arm in each function here.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Variant {
    GrandeAcedrex,
    SpanishDraughts,
}

impl Variant {
    pub const DEFAULT: Variant = Variant::GrandeAcedrex;
    pub const ALL: [Variant; 2] = [Variant::GrandeAcedrex, Variant::SpanishDraughts];
    /// Names of [`Variant::ALL`], in that order.
    pub const NAMES: &'static [&'static str] = &[acedrex::Position::VARIANT, draughts::Position::VARIANT];

    /// The variant's name in every protocol.
    pub const fn name(self) -> &'static str {
        Self::NAMES[self as usize]
    }

    /// The variant called `name`; case does not matter.
    pub fn find(name: &str) -> Option<Variant> {
        Self::ALL.into_iter().find(|variant| variant.name().eq_ignore_ascii_case(name))
    }

    /// A game of this variant at its start.
    pub fn start(self, options: &Options) -> Box<dyn Session> {
        struct Start<'a>(&'a Options);
        impl Generic for Start<'_> {
            type Output = Box<dyn Session>;

            fn run<P: Playable>(self) -> Box<dyn Session> {
                Box::new(Game::new(P::start(P::rules_of(self.0))))
            }
        }
        self.run(Start(options))
    }

    /// Another variant that can read the FEN.
    pub fn other_that_reads(self, fen: &str) -> Option<Variant> {
        struct Read<'a>(&'a str);
        impl Generic for Read<'_> {
            type Output = bool;

            fn run<P: Playable>(self) -> bool {
                P::from_fen(self.0, P::Rules::default()).is_ok()
            }
        }
        Self::ALL.into_iter().find(|&variant| variant != self && variant.run(Read(fen)))
    }

    /// Does work that is compiled for each game apart, for this one.
    pub fn run<W: Generic>(self, work: W) -> W::Output {
        match self {
            Variant::GrandeAcedrex => work.run::<acedrex::Position>(),
            Variant::SpanishDraughts => work.run::<draughts::Position>(),
        }
    }
}

/// Has the endgame tables of `folders` at hand, for all engines of this program, and tells what was found.
/// `folders` is a list of paths as the system writes it; where it is empty, the tables in the program are left.
pub fn load_endgames(folders: impl AsRef<OsStr>) -> draughts::tables::store::Found {
    draughts::tables::store::load(folders)
}

/// Work on any game, with the game's own positions and moves in place of the text of a [`Session`].
pub trait Generic {
    type Output;

    fn run<P: Playable>(self) -> Self::Output;
}

/// A position whose game the engine offers.
pub trait Playable: Fitted {
    const WHICH: Variant;

    /// The rules that the options ask for.
    fn rules_of(options: &Options) -> Self::Rules;
}

impl Playable for acedrex::Position {
    const WHICH: Variant = Variant::GrandeAcedrex;

    fn rules_of(options: &Options) -> acedrex::Rules {
        acedrex::Rules { move_rule: options.move_rule }
    }
}

impl Playable for draughts::Position {
    const WHICH: Variant = Variant::SpanishDraughts;

    fn rules_of(options: &Options) -> draughts::Rules {
        draughts::Rules { draws: options.draughts_draws }
    }
}
