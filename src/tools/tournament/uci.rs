//! The match's side of UCI.

use std::time::{Duration, Instant};

use super::control::TimeControl;
use super::player::{Dialect, EngineSpec, GreetingError, Hall, Reply, Said, Thought, Turn, receive_on_clock};
use super::process::{Failure, Process};
use crate::search::score::Score;

/// A dialogue with a UCI engine.
#[derive(Default)]
pub struct Uci {
    /// The options that the engine offers, by name: what it says of each, from `type` on.
    offered: Vec<(String, String)>,
}

impl Dialect for Uci {
    fn greet(
        &mut self,
        process: &mut Process,
        hall: &Hall,
        spec: &EngineSpec,
    ) -> Result<String, GreetingError> {
        let deadline = Instant::now() + hall.patience;
        let mut name = String::new();
        process.send("uci")?;
        loop {
            let (line, _) = process.receive(deadline)?;
            if line == "uciok" {
                break;
            } else if let Some(rest) = line.strip_prefix("id name ") {
                name = rest.trim().into();
            } else if let Some(rest) = line.strip_prefix("option name ") {
                let (option, kind) = rest.split_once(" type ").unwrap_or((rest, ""));
                self.offered.push((option.trim().into(), kind.trim().into()));
            }
        }
        // A program of one game may do without.
        if self.kind_of("UCI_Variant").is_some() {
            process.send(&format!("setoption name UCI_Variant value {}", hall.variant.name()))?;
        }
        let threads = spec.threads.map(|threads| ("Threads".to_owned(), threads.to_string()));
        for (option, value) in threads.iter().chain(&spec.options) {
            self.check(option, value).map_err(GreetingError::Unable)?;
            process.send(&format!("setoption name {option} value {value}"))?;
        }
        wait_until_ready(process, hall)?;
        Ok(name)
    }

    fn new_game(&mut self, process: &mut Process, hall: &Hall, _: &TimeControl) -> Result<(), Failure> {
        process.send("ucinewgame")?;
        wait_until_ready(process, hall)
    }

    fn think(&mut self, process: &mut Process, hall: &Hall, turn: &Turn) -> Result<Reply, Failure> {
        process.send(&position(turn))?;
        // What the engine still has to say about an earlier search is over before the clock starts.
        wait_until_ready(process, hall)?;
        let start = Instant::now();
        process.send(&go(turn))?;
        let mut thought = Thought::default();
        loop {
            let (line, time) = receive_on_clock(process, hall, turn.clock(), start)?;
            match line.split_whitespace().collect::<Vec<_>>()[..] {
                ["bestmove", ref words @ ..] => {
                    let text = words.first().copied().unwrap_or_default();
                    return Ok(Reply { said: Said::Move(text.into()), time, thought });
                }
                ["info", ref words @ ..] => read_info(words, &mut thought),
                _ => {}
            }
        }
    }

    fn game_over(&mut self, _: &mut Process, _: &str, _: &str) -> Result<(), Failure> {
        // UCI knows no such word.
        Ok(())
    }

    fn takes_positions(&self) -> bool {
        true
    }
}

impl Uci {
    /// What the engine says of an option, from its type on; `None` where it has no such option.
    fn kind_of(&self, option: &str) -> Option<&str> {
        let offer = self.offered.iter().find(|(offered, _)| offered.eq_ignore_ascii_case(option));
        offer.map(|(_, kind)| kind.as_str())
    }

    /// Would the engine take this value, by what it says of the option?
    fn check(&self, option: &str, value: &str) -> Result<(), String> {
        let Some(kind) = self.kind_of(option) else {
            let names: Vec<_> = self.offered.iter().map(|(name, _)| name.as_str()).collect();
            return Err(format!("it has no option '{option}'; it has {}", names.join(", ")));
        };
        let refuse =
            |allowed: &str| Err(format!("option '{option}' cannot be '{value}'; allowed: {allowed}"));
        let words: Vec<_> = kind.split_whitespace().collect();
        let number = |name| {
            let at = words.iter().position(|&word| word == name)?;
            words.get(at + 1)?.parse::<i64>().ok()
        };
        match words[..] {
            ["spin", ..] => {
                let (least, most) = (number("min").unwrap_or(i64::MIN), number("max").unwrap_or(i64::MAX));
                match value.parse() {
                    Ok(value) if (least..=most).contains(&value) => Ok(()),
                    _ => refuse(&format!("{least} to {most}")),
                }
            }
            ["check", ..] if !["true", "false"].contains(&value) => refuse("true, false"),
            ["combo", ..] => {
                let choices: Vec<_> = kind.split(" var ").skip(1).map(str::trim).collect();
                let known = choices.iter().any(|choice| choice.eq_ignore_ascii_case(value));
                if known || choices.is_empty() { Ok(()) } else { refuse(&choices.join(", ")) }
            }
            _ => Ok(()),
        }
    }
}

fn wait_until_ready(process: &mut Process, hall: &Hall) -> Result<(), Failure> {
    let deadline = Instant::now() + hall.patience;
    process.send("isready")?;
    while process.receive(deadline)?.0 != "readyok" {}
    Ok(())
}

fn position(turn: &Turn) -> String {
    let mut text = match turn.first_fen {
        Some(fen) => format!("position fen {fen}"),
        None => "position startpos".into(),
    };
    if !turn.moves.is_empty() {
        text.push_str(" moves ");
        text.push_str(&turn.moves.join(" "));
    }
    text
}

fn go(turn: &Turn) -> String {
    let mut text = String::from("go");
    let control = turn.clock().control();
    if control.clock.is_some() {
        for (clock, time, increment) in
            [(&turn.clocks[0], "wtime", "winc"), (&turn.clocks[1], "btime", "binc")]
        {
            // An opponent without a clock: its time is nobody's business.
            if let (Some(remaining), Some(control)) = (clock.remaining(), clock.control().clock) {
                let (remaining, gain) = (milliseconds(remaining), milliseconds(control.increment));
                text.push_str(&format!(" {time} {remaining} {increment} {gain}"));
            }
        }
        if let Some(moves) = turn.clock().moves_to_go() {
            text.push_str(&format!(" movestogo {moves}"));
        }
    }
    for (word, number) in [
        ("movetime", control.move_time.map(milliseconds)),
        ("depth", control.depth.map(u128::from)),
        ("nodes", control.nodes.map(u128::from)),
    ] {
        if let Some(number) = number {
            text.push_str(&format!(" {word} {number}"));
        }
    }
    text
}

/// At least one: engines differ in what they make of none.
fn milliseconds(time: Duration) -> u128 {
    if time.is_zero() { 0 } else { time.as_millis().max(1) }
}

/// Takes what an info line tells about the best line.
fn read_info(words: &[&str], thought: &mut Thought) {
    let after = |word: &str| words.iter().position(|&other| other == word).map(|place| &words[place + 1..]);
    let number = |word: &str| after(word)?.first()?.parse::<u64>().ok();
    if number("multipv").is_some_and(|rank| rank > 1) || words.first() == Some(&"string") {
        return;
    }
    let score = match after("score") {
        Some(["cp", score, ..]) => score.parse().ok().map(Score::Centipawns),
        Some(["mate", moves, ..]) => moves.parse().ok().map(Score::Mate),
        _ => None,
    };
    thought.score = score.or(thought.score);
    if score.is_some() {
        thought.depth = number("depth").and_then(|depth| depth.try_into().ok()).or(thought.depth);
    }
    thought.nodes = number("nodes").or(thought.nodes);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::{Options, Variant};
    use crate::game::Color;
    use crate::tools::tournament::control::Clock;

    fn control(key: &str, value: &str) -> TimeControl {
        let mut control = TimeControl::default();
        control.set(key, value).unwrap().unwrap();
        control
    }

    fn go_line(side: Color, white: TimeControl, black: TimeControl) -> String {
        let clocks = [Clock::new(white), Clock::new(black)];
        let mut session = Variant::SpanishDraughts.start(&Options::default());
        if side == Color::Black {
            session.play("h3g4").unwrap();
        }
        go(&Turn { first_fen: None, moves: &[], session: &*session, clocks: &clocks })
    }

    #[test]
    fn each_side_has_its_own_limits() {
        let (fast, slow) = (control("tc", "1+0.01"), control("tc", "40/60"));
        assert_eq!(go_line(Color::White, fast, slow), "go wtime 1000 winc 10 btime 60000 binc 0");
        assert_eq!(
            go_line(Color::Black, fast, slow),
            "go wtime 1000 winc 10 btime 60000 binc 0 movestogo 40"
        );
        assert_eq!(go_line(Color::White, control("nodes", "500"), slow), "go nodes 500");
        assert_eq!(go_line(Color::White, control("depth", "5"), slow), "go depth 5");
        assert_eq!(go_line(Color::White, control("st", "0.1"), slow), "go movetime 100");
    }

    #[test]
    fn info_lines() {
        let mut thought = Thought::default();
        for line in [
            "depth 7 seldepth 12 multipv 1 score cp -35 lowerbound nodes 1234 nps 5 pv g1e3",
            "depth 7 multipv 2 score cp -99 nodes 1300 pv a4a5",
            "depth 8 currmove a4a5 currmovenumber 1",
            "string score cp 5000",
        ] {
            read_info(&line.split(' ').collect::<Vec<_>>(), &mut thought);
        }
        let expected = Thought { score: Some(Score::Centipawns(-35)), depth: Some(7), nodes: Some(1234) };
        assert_eq!(thought, expected);
        read_info(&["depth", "9", "score", "mate", "-2"], &mut thought);
        assert_eq!(thought.score, Some(Score::Mate(-2)));
    }

    #[test]
    fn options_are_held_to_what_the_engine_says_of_them() {
        let offer = |name: &str, kind: &str| (name.to_owned(), kind.to_owned());
        let uci = Uci {
            offered: vec![
                offer("Hash", "spin default 64 min 1 max 4096"),
                offer("Ponder", "check default false"),
                offer("Draughts Draws", "combo default club var club var federation"),
                offer("EndgamePath", "string default <empty>"),
            ],
        };
        for (option, value) in
            [("hash", "1"), ("Ponder", "true"), ("Draughts Draws", "Federation"), ("EndgamePath", "x")]
        {
            assert_eq!(uci.check(option, value), Ok(()));
        }
        let refused = |option, value| uci.check(option, value).unwrap_err();
        assert_eq!(refused("Hash", "0"), "option 'Hash' cannot be '0'; allowed: 1 to 4096");
        assert_eq!(refused("Hash", "much"), "option 'Hash' cannot be 'much'; allowed: 1 to 4096");
        assert_eq!(refused("Ponder", "on"), "option 'Ponder' cannot be 'on'; allowed: true, false");
        assert_eq!(
            refused("Draughts Draws", "fed"),
            "option 'Draughts Draws' cannot be 'fed'; allowed: club, federation"
        );
        assert!(refused("Hsh", "1").starts_with("it has no option 'Hsh'; it has Hash, Ponder"));
    }
}
