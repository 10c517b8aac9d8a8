//! Which games there are: the one place that names them all.

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

    /// Does work that is compiled for each game apart, for this one.
    pub fn run<W: Generic>(self, work: W) -> W::Output {
        match self {
            Variant::GrandeAcedrex => work.run::<acedrex::Position>(),
            Variant::SpanishDraughts => work.run::<draughts::Position>(),
        }
    }

    /// Does work on the weights of the evaluation; `None` where a game's weights cannot be fitted.
    pub fn run_fitted<W: GenericFitted>(self, work: W) -> Option<W::Output> {
        match self {
            Variant::GrandeAcedrex => Some(work.run::<acedrex::Position>()),
            Variant::SpanishDraughts => None,
        }
    }
}

/// Has the endgame tables of `folders` at hand, for all engines of this program; tells what was found and which
/// files cannot be used. `folders` is a list of paths as the system writes it; where it is empty, the tables in the
/// program are left.
pub fn load_endgames(folders: &str) -> Vec<String> {
    let found = draughts::tables::store::load(folders);
    let mut notices: Vec<String> =
        found.problems.iter().map(|problem| format!("EndgamePath: {problem}; ignored")).collect();
    let (positions, most) = (found.positions, found.most_pieces);
    notices.push(format!("endgame tables of draughts: {positions} positions, up to {most} pieces"));
    notices
}

/// Work on any game, with the game's own positions and moves in place of the text of a [`Session`].
pub trait Generic {
    type Output;

    fn run<P: Playable>(self) -> Self::Output;
}

/// Work on any game whose evaluation can be fitted.
pub trait GenericFitted {
    type Output;

    fn run<P: Fitted>(self) -> Self::Output;
}

/// A position whose game the engine offers.
pub trait Playable: Position {
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
