//! Which weight is which: the weights lie in one row, group after group.

use super::patterns::{PATTERNS, STATES};
use crate::draughts::squares::Square;

/// The parts of the evaluation as they are shown, in this order.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Section {
    Material,
    Patterns,
    Kings,
    Mobility,
    Crowning,
    Tempo,
}

impl Section {
    pub const NAMES: [&str; 6] =
        ["material", "patterns", "kings", "mobility", "on the way to crown", "right to move"];
}

/// Weights of one sort.
pub struct Group {
    section: Section,
    name: &'static str,
    /// The index of its first weight.
    start: usize,
    len: usize,
}

impl Group {
    const fn then(&self, section: Section, name: &'static str, len: usize) -> Group {
        Group { section, name, start: self.end(), len }
    }

    const fn end(&self) -> usize {
        self.start + self.len
    }

    /// The index of a weight of the group.
    pub const fn at(&self, column: usize) -> usize {
        debug_assert!(column < self.len);
        self.start + column
    }

    /// The index of the weight for a count; the last weight is for all higher counts.
    pub const fn count(&self, count: u32) -> usize {
        let count = count as usize;
        self.at(if count < self.len { count } else { self.len - 1 })
    }
}

pub const MEN: Group = Group { section: Section::Material, name: "man", start: 0, len: 1 };
/// The first king, the second, and each further one.
pub const KINGS: Group = MEN.then(Section::Material, "king", 3);
/// By its square.
pub const KING_SQUARE: Group = KINGS.then(Section::Kings, "king on", Square::COUNT);
/// A king on the long diagonal and no enemy king there, by the number of enemy kings.
pub const RIVER: Group = KING_SQUARE.then(Section::Kings, "long diagonal held against kings", 4);
/// By the number of squares that it can go to.
pub const KING_STEPS: Group = RIVER.then(Section::Mobility, "mobility of a king", 14);
/// By the number of steps of all men together.
pub const MEN_STEPS: Group = KING_STEPS.then(Section::Mobility, "mobility of the men", 12);
/// A man that no enemy piece stands before, by its row.
pub const RUNAWAY: Group = MEN_STEPS.then(Section::Crowning, "man on its way, row", 8);
/// Of the side to move, by the number of pieces on the board: in pairs.
pub const TEMPO: Group = RUNAWAY.then(Section::Tempo, "right to move", 13);
/// The same, where the rows on which pieces stand give it the last free move of men.
pub const OPPOSITION: Group = TEMPO.then(Section::Tempo, "opposition", 13);
/// The patterns one after another, each with all its states.
pub const PATTERN: Group = OPPOSITION.then(Section::Patterns, "pattern", PATTERNS * STATES);

/// The number of weights.
pub const COUNT: usize = PATTERN.end();

const GROUPS: [Group; 10] =
    [MEN, KINGS, KING_SQUARE, RIVER, KING_STEPS, MEN_STEPS, RUNAWAY, TEMPO, OPPOSITION, PATTERN];

fn group(weight: usize) -> &'static Group {
    const ALL: &[Group] = &GROUPS;
    ALL.iter().find(|group| weight < group.end()).expect("a weight belongs to a group")
}

/// The section that a weight belongs to.
pub fn section(weight: usize) -> Section {
    group(weight).section
}

/// The names of the groups, in their order.
pub fn group_names() -> Vec<&'static str> {
    GROUPS.iter().map(|group| group.name).collect()
}

/// The name of a weight: `mobility of a king, 3`.
pub fn name(weight: usize) -> String {
    let group = group(weight);
    let column = weight - group.start;
    match group.len {
        1 => group.name.to_owned(),
        Square::COUNT => format!("{} {}", group.name, Square::new(column as u8)),
        _ if weight >= PATTERN.start => {
            format!("{} {}, state {}", group.name, column / STATES, column % STATES)
        }
        _ => format!("{}, {column}", group.name),
    }
}
