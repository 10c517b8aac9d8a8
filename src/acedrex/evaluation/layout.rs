//! Which weight is which: the weights lie in one row, group after group.

use super::super::pieces::Kind;
use super::super::squares::{SIDE, Square};

/// The parts of the evaluation as they are shown, in this order.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Section {
    Material,
    Placement,
    Mobility,
    Pawns,
    Threats,
    King,
    Endings,
    Tempo,
}

impl Section {
    pub const NAMES: [&str; 8] = [
        "material",
        "placement",
        "mobility",
        "pawn structure",
        "threats",
        "attack on the king",
        "few men left",
        "right to move",
    ];
}

/// Weights of one sort, rows of equal length; most have one row without a name.
pub struct Group {
    pub section: Section,
    name: &'static str,
    rows: &'static [&'static str],
    columns: usize,
    /// The index of its first weight.
    start: usize,
}

impl Group {
    /// The index of a weight.
    pub const fn at(&self, row: usize, column: usize) -> usize {
        debug_assert!(row < self.rows.len() && column < self.columns);
        self.start + row * self.columns + column
    }

    /// The index of the weight for a count in a group of one row; the last weight is for all higher counts.
    pub const fn count(&self, count: usize) -> usize {
        self.at(0, if count < self.columns { count } else { self.columns - 1 })
    }

    pub const fn rows(&self) -> usize {
        self.rows.len()
    }

    pub const fn columns(&self) -> usize {
        self.columns
    }

    /// The name of a row with that of the group: `mobility of the lion`.
    pub fn row_name(&self, row: usize) -> String {
        match self.rows[row] {
            "" => self.name.to_string(),
            row => format!("{} of the {row}", self.name),
        }
    }

    const fn end(&self) -> usize {
        self.start + self.rows.len() * self.columns
    }

    const fn then(
        &self,
        section: Section,
        name: &'static str,
        rows: &'static [&'static str],
        columns: usize,
    ) -> Group {
        Group { section, name, rows, columns, start: self.end() }
    }

    /// The group that a weight belongs to.
    pub fn of(weight: usize) -> &'static Group {
        GROUPS.iter().find(|group| weight < group.end()).expect("a weight belongs to a group")
    }
}

const ONE: &[&str] = &[""];
const KINDS: &[&str] = &{
    let mut names = [""; Kind::COUNT];
    let mut k = 0;
    while k < Kind::COUNT {
        names[k] = Kind::ALL[k].name();
        k += 1;
    }
    names
};
/// Every kind but the king.
const MEN: &[&str] = KINDS.split_at(Kind::King.index()).0;
/// Every kind but the pawn; the row of a kind is [`piece_row`].
const PIECES: &[&str] = KINDS.split_at(1).1;
/// Neither pawns nor the king; rows as of [`PIECES`].
const ATTACKERS: &[&str] = MEN.split_at(1).1;
/// Ranks, and distances in king's steps.
const LINES: usize = SIDE as usize;
/// Rings of squares, from the rim to the centre.
const RINGS: usize = LINES / 2;
/// See [`half_board`].
const HALF_BOARD: usize = RINGS * LINES;

pub const MATERIAL: Group =
    Group { section: Section::Material, name: "material", rows: MEN, columns: 1, start: 0 };
pub const PLACEMENT: Group = MATERIAL.then(Section::Placement, "placement", KINDS, HALF_BOARD);
/// By [`mobility_column`].
pub const MOBILITY: Group = PLACEMENT.then(Section::Mobility, "mobility", PIECES, 24);

/// A pawn that another defends, by rank.
pub const CHAIN: Group = MOBILITY.then(Section::Pawns, "pawn in a chain", ONE, LINES);
/// A pawn beside another, by rank.
pub const PHALANX: Group = CHAIN.then(Section::Pawns, "pawn in a phalanx", ONE, LINES);
pub const ISOLATED: Group = PHALANX.then(Section::Pawns, "isolated pawn", ONE, 1);
pub const DOUBLED: Group = ISOLATED.then(Section::Pawns, "doubled pawn", ONE, 1);
pub const BACKWARD: Group = DOUBLED.then(Section::Pawns, "backward pawn", ONE, 1);
/// The file tells what the pawn becomes.
pub const PASSED: Group = BACKWARD.then(Section::Pawns, "passed pawn", ONE, HALF_BOARD);
/// By rank, as the next two.
pub const PASSED_BLOCKED: Group = PASSED.then(Section::Pawns, "passed pawn, blocked", ONE, LINES);
pub const PASSED_STOPPED: Group =
    PASSED_BLOCKED.then(Section::Pawns, "passed pawn, next square attacked", ONE, LINES);
pub const PASSED_SUPPORTED: Group =
    PASSED_STOPPED.then(Section::Pawns, "passed pawn, next square defended", ONE, LINES);
/// By the distance of a king from the square before the pawn.
pub const PASSED_OWN_KING: Group =
    PASSED_SUPPORTED.then(Section::Pawns, "passed pawn, distance of the own king", ONE, LINES);
pub const PASSED_ENEMY_KING: Group =
    PASSED_OWN_KING.then(Section::Pawns, "passed pawn, distance of the enemy king", ONE, LINES);

/// Rows: the man attacked. Columns: its cheapest attacker.
pub const HANGING: Group =
    PASSED_ENEMY_KING.then(Section::Threats, "threat to the undefended man", MEN, Kind::COUNT);
pub const ATTACKED: Group = HANGING.then(Section::Threats, "threat to the defended man", MEN, Kind::COUNT);
/// A man attacked twice at least, defended once.
pub const OUTNUMBERED: Group = ATTACKED.then(Section::Threats, "more attackers than defenders", MEN, 1);

/// A piece that attacks the enemy king or a square beside it.
pub const NEAR_KING: Group = OUTNUMBERED.then(Section::King, "attack near the king", ATTACKERS, 1);
/// A kind of piece that can give check and cannot be taken then.
pub const SAFE_CHECK: Group = NEAR_KING.then(Section::King, "safe check", ATTACKERS, 1);
/// By units of attack, see [`super::king`].
pub const DANGER: Group = SAFE_CHECK.then(Section::King, "danger to the enemy king", ONE, 32);
/// Own pawns beside the king.
pub const SHIELD: Group = DANGER.then(Section::King, "pawns beside the king", ONE, 5);
/// Own pawns before the king.
pub const SHELTER: Group = SHIELD.then(Section::King, "pawns before the king", ONE, 6);
/// Enemy pawns before the king.
pub const STORM: Group = SHELTER.then(Section::King, "enemy pawns before the king", ONE, 6);
pub const LEAP: Group = STORM.then(Section::King, "right to leap", ONE, 1);

/// By the number of men left beside the king.
pub const MEN_LEFT: Group = LEAP.then(Section::Endings, "men left", ONE, 9);
/// Rows: men that the enemy has left. Columns: how many more the side itself has, less one.
pub const LEAD: Group = MEN_LEFT.then(
    Section::Endings,
    "lead by some men, by those left",
    &[
        "bare king",
        "side with one man",
        "side with two",
        "side with three",
        "side with four",
        "side with five",
        "side with six",
    ],
    4,
);
/// Against few men: where the enemy king stands, by ring.
pub const HUNTED_KING: Group = LEAD.then(Section::Endings, "hunted king, ring", ONE, RINGS);
/// Against few men: where each stands, by ring.
pub const HUNTED_MAN: Group = HUNTED_KING.then(Section::Endings, "hunted man, ring", ONE, RINGS);
/// Against few men: the distance of the kings.
pub const HUNTING_KING: Group = HUNTED_MAN.then(Section::Endings, "hunt, distance of the kings", ONE, LINES);
/// Against few men: the distance from each of them of the own king.
pub const HUNT_BY_KING: Group =
    HUNTING_KING.then(Section::Endings, "hunted man, distance of the king", ONE, LINES);
/// Against few men: the distance from each of them of each own piece.
pub const HUNT_BY_PIECE: Group =
    HUNT_BY_KING.then(Section::Endings, "hunted man, distance of a piece", ONE, LINES);

pub const TEMPO: Group = HUNT_BY_PIECE.then(Section::Tempo, "right to move", ONE, 1);

/// The number of weights.
pub const COUNT: usize = TEMPO.end();

/// All groups in the order of their weights.
pub static GROUPS: [Group; 32] = [
    MATERIAL,
    PLACEMENT,
    MOBILITY,
    CHAIN,
    PHALANX,
    ISOLATED,
    DOUBLED,
    BACKWARD,
    PASSED,
    PASSED_BLOCKED,
    PASSED_STOPPED,
    PASSED_SUPPORTED,
    PASSED_OWN_KING,
    PASSED_ENEMY_KING,
    HANGING,
    ATTACKED,
    OUTNUMBERED,
    NEAR_KING,
    SAFE_CHECK,
    DANGER,
    SHIELD,
    SHELTER,
    STORM,
    LEAP,
    MEN_LEFT,
    LEAD,
    HUNTED_KING,
    HUNTED_MAN,
    HUNTING_KING,
    HUNT_BY_KING,
    HUNT_BY_PIECE,
    TEMPO,
];

/// The row of a kind in a group without pawns.
pub const fn piece_row(kind: Kind) -> usize {
    kind.index() - Kind::Giraffe.index()
}

/// The column of a square, seen from the side that counts: left and right are the same.
pub const fn half_board(square: Square) -> usize {
    square.rank() as usize * RINGS + from_edge(square.file())
}

/// 0 on the outermost ring of squares, 5 on the four squares of the centre.
pub const fn ring(square: Square) -> usize {
    let (file, rank) = (from_edge(square.file()), from_edge(square.rank()));
    if file < rank { file } else { rank }
}

const fn from_edge(line: u8) -> usize {
    (if line < SIDE / 2 { line } else { SIDE - 1 - line }) as usize
}

/// The column for a number of squares: each number up to 15 has its own, then every four share one.
pub const fn mobility_column(squares: usize) -> usize {
    const FINE: usize = 16;
    let column = if squares < FINE { squares } else { FINE + (squares - FINE) / 4 };
    if column < MOBILITY.columns { column } else { MOBILITY.columns - 1 }
}

/// The names of the groups, in their order.
pub fn group_names() -> Vec<&'static str> {
    GROUPS.iter().map(|group| group.name).collect()
}

/// The name of a weight: `mobility of the lion, 3`.
pub fn name(weight: usize) -> String {
    let group = Group::of(weight);
    let (row, column) = ((weight - group.start) / group.columns, (weight - group.start) % group.columns);
    let name = group.row_name(row);
    match group.columns {
        1 => name,
        HALF_BOARD => {
            let square = Square::new((column % RINGS) as u8, (column / RINGS) as u8);
            format!("{name}, {square}")
        }
        Kind::COUNT => format!("{name} by the {}", Kind::ALL[column].name()),
        _ => format!("{name}, {column}"),
    }
}
