//! A flood of lines, half sense and half nonsense: the program must stand, and answer afterwards.

mod common;

use std::process::Command;

use common::{ALFONSO, Chance, Dialogue, says};

const LINES: usize = 100_000;
/// So many are sent at a time.
const PORTION: usize = 50;

#[test]
fn a_hundred_thousand_random_lines_do_no_harm() {
    // Log files with names of chance land here.
    let folder = tempfile::tempdir().unwrap();
    let mut uci = Dialogue::of(Command::new(ALFONSO).current_dir(folder.path()));
    let mut flood = Flood(Chance::seeded(1283));
    let mut answers = 0;
    for portion in 0..LINES / PORTION {
        let mut lines: Vec<u8> = Vec::new();
        for _ in 0..PORTION {
            lines.extend(flood.line());
            lines.push(b'\n');
        }
        uci.send_bytes(&lines);
        let mark = format!("portion-{portion}");
        for poke in 0.. {
            // The mark waits in the queue like all other lines, and its answer tells that all were obeyed; it
            // is refused where an endless search has just begun. Whatever search the queue has come to is
            // stopped: it may be a long one.
            uci.send(format!("stop\nsetoption name {mark}\nisready {mark}-{poke}"));
            let lines = uci.until(|line| line.contains(&format!("{mark}-{poke}'")));
            answers += lines.iter().filter(|line| line.starts_with("bestmove")).count();
            if says(&lines, &format!("no option is called '{mark}'")) {
                break;
            }
        }
    }
    assert!(answers > LINES / 100, "most of the flood should get through: {answers} searches");
    uci.ask("stop");
    uci.quit();
}

const FENS: [&str; 8] = [
    "rlugcakcgulr/12/12/pppppppppppp/12/12/12/12/PPPPPPPPPPPP/12/12/RLUGCAKCGULR w Kk - 0 1",
    "rl1gc3g3/8a3/3k8/pp2pp1ppppR/3p8/12/12/4P2P2c1/PPP3PLPPP1/5GK5/8C1u1/RL1G1A6 w - - 0 21",
    "4k7/12/9c2/1p5p2pp/C1p4L1p2/12/8R3/12/11P/12/4r6K/6C4R w - - 1 66",
    "7k3K/11P/9u2/7p4/8pl2/12/12/12/12/12/12/12 w - - 0 1",
    "W:W1-12:B21-32",
    "W:WK25,K27:BK7,13,K14,18,K20,21,22,28,29",
    "W:W1,K10,26:B9,18,30:H12:F40",
    "B:WK1,K12,K31:BK32.",
];

const WORDS: [&str; 56] = [
    "uci",
    "debug",
    "isready",
    "setoption",
    "register",
    "ucinewgame",
    "position",
    "go",
    "stop",
    "ponderhit",
    "d",
    "eval",
    "help",
    "on",
    "off",
    "name",
    "value",
    "startpos",
    "fen",
    "moves",
    "searchmoves",
    "ponder",
    "wtime",
    "btime",
    "winc",
    "binc",
    "movestogo",
    "depth",
    "nodes",
    "mate",
    "movetime",
    "infinite",
    "Hash",
    "Threads",
    "MultiPV",
    "Ponder",
    "Move",
    "Overhead",
    "UCI_Variant",
    "grande-acedrex",
    "spanish-draughts",
    "UCI_ShowWDL",
    "Clear",
    "Rule",
    "Draughts",
    "Draws",
    "federation",
    "a4a5",
    "e9e8",
    "g1e3",
    "a11a12r",
    "d3e4",
    "h1d5a8",
    "10x19",
    "<empty>",
    "true",
];

const NUMBERS: [&str; 16] = [
    "0",
    "1",
    "2",
    "3",
    "7",
    "100",
    "255",
    "256",
    "300",
    "65536",
    "-1",
    "-0",
    "+5",
    "1e9",
    "4294967296",
    "99999999999999999999999999",
];

/// Sizes that are set in a moment, and some that must be refused.
const SIZES: [&str; 6] = ["1", "2", "3", "0", "-7", "1048577"];

struct Flood(Chance);

impl Flood {
    fn line(&mut self) -> Vec<u8> {
        let Flood(chance) = self;
        let line = match chance.below(20) {
            0..4 => return self.junk(),
            4..7 => self.words(),
            7..10 => self.go(),
            10..13 => self.position(),
            13..15 => self.option(),
            15 => chance.of(&["d", "eval", "isready", "ucinewgame", "uci", "debug on", "debug off"]).into(),
            16 => "ponderhit".into(),
            _ => "stop".into(),
        };
        line.into_bytes()
    }

    /// Bytes of all kinds.
    fn junk(&mut self) -> Vec<u8> {
        let length = self.0.below(40);
        (0..length).map(|_| self.0.next() as u8).filter(|&byte| byte != b'\n').collect()
    }

    /// Words of the protocol in any order.
    fn words(&mut self) -> String {
        let chance = &mut self.0;
        let mut line = String::new();
        for _ in 0..chance.below(10) {
            let word = if chance.once_in(3) { chance.of(&NUMBERS) } else { chance.of(&WORDS) };
            line += word;
            line += chance.of(&[" ", "  ", "\t", "\0"]);
        }
        // Sizes of chance would ask for gigabytes, and `quit` would end it all.
        if line.contains("Hash") || line.contains("Threads") { "isready".into() } else { line }
    }

    fn go(&mut self) -> String {
        let chance = &mut self.0;
        let mut line = "go".to_owned();
        for _ in 0..chance.below(4) {
            let limit = ["depth", "nodes", "mate", "movetime", "wtime", "btime", "movestogo", "perft"];
            line += &format!(" {} {}", chance.of(&limit), chance.of(&NUMBERS));
        }
        line + chance.of(&["", "", " ", " infinite", " ponder", " searchmoves a4a5", " searchmoves"])
    }

    fn position(&mut self) -> String {
        let chance = &mut self.0;
        let mut line = "position startpos".to_owned();
        if !chance.once_in(4) {
            let mut fen: Vec<char> = chance.of(&FENS).chars().collect();
            for _ in 0..chance.below(4) {
                let place = chance.below(fen.len());
                let letters: Vec<char> = "rlugcakpRLUGCAKP0123456789/- :,.WBKHFwbéx".chars().collect();
                match chance.below(3) {
                    0 => drop(fen.remove(place)),
                    1 => fen.insert(place, letters[chance.below(letters.len())]),
                    _ => fen[place] = letters[chance.below(letters.len())],
                }
            }
            line = format!("position fen {}", fen.into_iter().collect::<String>());
        }
        if chance.once_in(2) {
            line += " moves";
            for _ in 0..chance.below(4) {
                line +=
                    &format!(" {}", chance.of(&["a4a5", "a9a8", "d3e4", "c6d5", "a1a2", "0000", "é", "a1"]));
            }
        }
        line
    }

    fn option(&mut self) -> String {
        let chance = &mut self.0;
        let name =
            chance.of(&["Hash", "Threads", "MultiPV", "Move Overhead", "UCI_Variant", "UCI_Variant", "x y"]);
        let value = match name {
            "UCI_Variant" => chance.of(&["grande-acedrex", "spanish-draughts", "spanish-draughts", "chess"]),
            _ => chance.of(&SIZES),
        };
        format!("setoption name {name} value {value}")
    }
}
