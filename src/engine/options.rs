//! The options: one table that every protocol offers, and their values.

use std::time::Duration;

use thiserror::Error;

use super::variant::Variant;
use crate::draughts::Draws;
use crate::game::excerpt;
use crate::search::threads::MAX_THREADS;

/// What values an option takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    Check {
        default: bool,
    },
    Spin {
        default: i64,
        min: i64,
        max: i64,
    },
    Combo {
        default: &'static str,
        values: &'static [&'static str],
    },
    /// No value: something happens.
    Button,
    /// A file; none by default.
    File,
    /// A folder, or several as the system writes lists of paths; none by default.
    Folder,
}

/// An option as it is offered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Spec {
    pub name: &'static str,
    pub kind: Kind,
    pub id: Id,
}

/// Which option.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Id {
    Hash,
    Threads,
    MultiPv,
    Ponder,
    MoveOverhead,
    Variant,
    AnalyseMode,
    ShowWdl,
    ClearHash,
    MoveRule,
    DraughtsDraws,
    OfferDraws,
    Resign,
    Discs,
    EndgamePath,
    LogFile,
}

impl Id {
    /// Does the option matter to XBoard alone (its looks, its offers)? No other protocol shows it.
    pub const fn is_for_xboard(self) -> bool {
        matches!(self, Id::Discs | Id::OfferDraws | Id::Resign)
    }
}

/// The largest table that can be asked for, in MiB.
pub const MAX_HASH: i64 = 1 << 20;
const DRAWS: &[&str] = &["club", "federation"];

/// Every option, in the order they are offered.
pub const SPECS: &[Spec] = &[
    Spec { name: "Hash", kind: Kind::Spin { default: 64, min: 1, max: MAX_HASH }, id: Id::Hash },
    Spec {
        name: "Threads",
        kind: Kind::Spin { default: 1, min: 1, max: MAX_THREADS as i64 },
        id: Id::Threads,
    },
    Spec { name: "MultiPV", kind: Kind::Spin { default: 1, min: 1, max: 256 }, id: Id::MultiPv },
    Spec { name: "Ponder", kind: Kind::Check { default: false }, id: Id::Ponder },
    Spec { name: "Move Overhead", kind: Kind::Spin { default: 20, min: 0, max: 5000 }, id: Id::MoveOverhead },
    Spec {
        name: "UCI_Variant",
        kind: Kind::Combo { default: Variant::DEFAULT.name(), values: Variant::NAMES },
        id: Id::Variant,
    },
    Spec { name: "UCI_AnalyseMode", kind: Kind::Check { default: false }, id: Id::AnalyseMode },
    Spec { name: "UCI_ShowWDL", kind: Kind::Check { default: false }, id: Id::ShowWdl },
    Spec { name: "Clear Hash", kind: Kind::Button, id: Id::ClearHash },
    Spec { name: "Move Rule", kind: Kind::Spin { default: 50, min: 0, max: 1000 }, id: Id::MoveRule },
    Spec {
        name: "Draughts Draws",
        kind: Kind::Combo { default: DRAWS[0], values: DRAWS },
        id: Id::DraughtsDraws,
    },
    Spec { name: "Offer Draws", kind: Kind::Check { default: true }, id: Id::OfferDraws },
    Spec { name: "Resign", kind: Kind::Check { default: false }, id: Id::Resign },
    Spec { name: "Discs", kind: Kind::Check { default: false }, id: Id::Discs },
    Spec { name: "EndgamePath", kind: Kind::Folder, id: Id::EndgamePath },
    Spec { name: "Log File", kind: Kind::File, id: Id::LogFile },
];

impl Spec {
    /// The option called `name`; case does not matter.
    pub fn find(name: &str) -> Result<&'static Spec, OptionError> {
        Self::find_among(SPECS.iter(), name)
    }

    /// The option called `name`, of those that a protocol has `offered`; case does not matter.
    pub fn find_among(
        offered: impl Iterator<Item = &'static Spec>,
        name: &str,
    ) -> Result<&'static Spec, OptionError> {
        let offered: Vec<&Spec> = offered.collect();
        offered.iter().copied().find(|spec| spec.name.eq_ignore_ascii_case(name)).ok_or_else(|| {
            let names = offered.iter().map(|spec| spec.name).collect::<Vec<_>>().join(", ");
            OptionError::Unknown { name: excerpt(name), offered: names }
        })
    }

    /// Reads a value of this option.
    pub fn read(&self, value: Option<&str>) -> Result<Value, OptionError> {
        let refused = |allowed: String| OptionError::Value {
            name: self.name,
            got: value.map_or("nothing".into(), |value| format!("'{}'", excerpt(value))),
            allowed,
        };
        let text = value.map(str::trim).unwrap_or_default();
        match self.kind {
            Kind::Check { .. } => match text.to_ascii_lowercase().as_str() {
                "true" | "on" | "1" => Ok(Value::Check(true)),
                "false" | "off" | "0" => Ok(Value::Check(false)),
                _ => Err(refused("true or false".into())),
            },
            Kind::Spin { min, max, .. } => text
                .parse()
                .ok()
                .filter(|number| (min..=max).contains(number))
                .map(Value::Spin)
                .ok_or_else(|| refused(format!("a whole number from {min} to {max}"))),
            Kind::Combo { values, .. } => values
                .iter()
                .position(|allowed| allowed.eq_ignore_ascii_case(text))
                .map(Value::Combo)
                .ok_or_else(|| refused(values.join(" or "))),
            Kind::Button => Ok(Value::Button),
            Kind::File | Kind::Folder if value.is_none() => Err(refused("a text, <empty> for none".into())),
            Kind::File | Kind::Folder => {
                Ok(Value::Text(if text == "<empty>" { String::new() } else { text.into() }))
            }
        }
    }
}

/// A value that was read, of the option's own kind and inside its bounds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Value {
    Check(bool),
    Spin(i64),
    /// Index into the allowed values.
    Combo(usize),
    Button,
    Text(String),
}

/// An option could not be set; its old value stays.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum OptionError {
    #[error("no option is called '{name}'; there are {offered}")]
    Unknown { name: String, offered: String },
    #[error("option {name}: got {got}; allowed: {allowed}")]
    Value { name: &'static str, got: String, allowed: String },
    #[error("option {name}: {reason}; the old value stays")]
    Failed { name: &'static str, reason: String },
    #[error("option {name} cannot change during a search")]
    Searching { name: &'static str },
}

/// The values in force.
#[derive(Clone, Debug)]
pub struct Options {
    /// MiB.
    pub hash: usize,
    pub threads: usize,
    pub multi_pv: usize,
    /// Said by a GUI that may ponder; pondering itself comes with each `go`.
    pub ponder: bool,
    pub move_overhead: Duration,
    pub variant: Variant,
    /// Said by a GUI that analyses.
    pub analyse_mode: bool,
    pub show_wdl: bool,
    /// Moves by each side; 0 is off.
    pub move_rule: u16,
    pub draughts_draws: Draws,
    /// Offer a draw to a person, and take a fair one (XBoard; UCI knows no offers).
    pub offer_draws: bool,
    /// Give a lost game up (XBoard).
    pub resign: bool,
    /// In XBoard, men of draughts that look like discs.
    pub discs: bool,
}

impl Default for Options {
    fn default() -> Self {
        let mut options = Options {
            hash: 0,
            threads: 0,
            multi_pv: 0,
            ponder: false,
            move_overhead: Duration::ZERO,
            variant: Variant::DEFAULT,
            analyse_mode: false,
            show_wdl: false,
            move_rule: 0,
            draughts_draws: Draws::Club,
            offer_draws: false,
            resign: false,
            discs: false,
        };
        // The table above is the one place that knows the defaults.
        for spec in SPECS {
            match spec.kind {
                Kind::Check { default } => options.keep(spec.id, &Value::Check(default)),
                Kind::Spin { default, .. } => options.keep(spec.id, &Value::Spin(default)),
                Kind::Combo { .. } => options.keep(spec.id, &Value::Combo(0)),
                Kind::Button | Kind::File | Kind::Folder => {}
            }
        }
        options
    }
}

impl Options {
    /// Keeps a value that [`Spec::read`] gave for the option `id`.
    pub(super) fn keep(&mut self, id: Id, value: &Value) {
        match (id, value) {
            (Id::Hash, Value::Spin(mib)) => self.hash = *mib as usize,
            (Id::Threads, Value::Spin(count)) => self.threads = *count as usize,
            (Id::MultiPv, Value::Spin(count)) => self.multi_pv = *count as usize,
            (Id::Ponder, Value::Check(on)) => self.ponder = *on,
            (Id::MoveOverhead, Value::Spin(ms)) => self.move_overhead = Duration::from_millis(*ms as u64),
            (Id::Variant, Value::Combo(index)) => self.variant = Variant::ALL[*index],
            (Id::AnalyseMode, Value::Check(on)) => self.analyse_mode = *on,
            (Id::ShowWdl, Value::Check(on)) => self.show_wdl = *on,
            (Id::MoveRule, Value::Spin(moves)) => self.move_rule = *moves as u16,
            (Id::DraughtsDraws, Value::Combo(index)) => {
                self.draughts_draws = [Draws::Club, Draws::Federation][*index];
            }
            (Id::OfferDraws, Value::Check(on)) => self.offer_draws = *on,
            (Id::Resign, Value::Check(on)) => self.resign = *on,
            (Id::Discs, Value::Check(on)) => self.discs = *on,
            (Id::ClearHash | Id::EndgamePath | Id::LogFile, _) => {}
            (id, value) => unreachable!("{value:?} is no value of {id:?}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_read_and_refused() {
        let read = |name: &str, value| Spec::find(name)?.read(value);
        assert_eq!(read("hash", Some(" 128 ")), Ok(Value::Spin(128)));
        assert_eq!(read("UCI_Variant", Some("Spanish-Draughts")), Ok(Value::Combo(1)));
        assert_eq!(read("Log File", Some("<empty>")), Ok(Value::Text(String::new())));
        for (name, value) in [
            ("Hash", Some("0")),
            ("Hash", Some("1048577")),
            ("Hash", Some("99999999999999999999")),
            ("Hash", None),
            ("Threads", Some("257")),
            ("Ponder", Some("maybe")),
            ("UCI_Variant", Some("chess")),
            ("Nonsense", Some("1")),
        ] {
            assert!(read(name, value).is_err(), "{name} {value:?}");
        }
        let two = SPECS.iter().filter(|spec| matches!(spec.id, Id::Hash | Id::Threads));
        let message = Spec::find_among(two, "Resign").unwrap_err().to_string();
        assert_eq!(message, "no option is called 'Resign'; there are Hash, Threads");
        let message = read("Threads", Some("0")).unwrap_err().to_string();
        assert_eq!(message, "option Threads: got '0'; allowed: a whole number from 1 to 256");
    }

    #[test]
    fn defaults_are_those_of_the_table() {
        let options = Options::default();
        assert_eq!((options.hash, options.threads, options.multi_pv), (64, 1, 1));
        assert_eq!(options.move_overhead, Duration::from_millis(20));
        assert_eq!(options.move_rule, 50);
    }
}
