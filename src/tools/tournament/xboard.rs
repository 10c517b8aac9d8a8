//! The match's side of XBoard's protocol (CECP, version 2), as far as a referee needs it.
//!
//! The engine is kept in force mode and told the moves as they come; `go` starts its clock, the next
//! `force` ends its part. So an engine that tests at leisure whether a move was legal does it off the
//! clock, and what it refuses shows before it thinks.

use std::time::{Duration, Instant};

use super::control::TimeControl;
use super::player::{Dialect, EngineSpec, GreetingError, Hall, Reply, Said, Thought, Turn, receive_on_clock};
use super::process::{Failure, Process};
use crate::engine::{Session, Variant};
use crate::game::Color;
use crate::protocols::xboard::find_draughts_move;
use crate::search::score::Score;

/// A dialogue with an XBoard engine.
#[derive(Default)]
pub struct XBoard {
    features: Features,
    /// Moves of the game that the engine knows, its own among them.
    told: usize,
    last_ping: u32,
}

/// What the engine said it can do.
#[derive(Default)]
struct Features {
    name: String,
    ping: bool,
    usermove: bool,
    setboard: bool,
    memory: bool,
    smp: bool,
    variants: Vec<String>,
    /// Names of its own options.
    options: Vec<String>,
    done: bool,
}

impl Dialect for XBoard {
    fn greet(
        &mut self,
        process: &mut Process,
        hall: &Hall,
        spec: &EngineSpec,
    ) -> Result<String, GreetingError> {
        if spec.control.nodes.is_some() {
            return Err(GreetingError::Unable(
                "XBoard's protocol has no limit by nodes; depth=… and tc=… work".into(),
            ));
        }
        let deadline = Instant::now() + hall.patience;
        process.send("xboard")?;
        process.send("protover 2")?;
        while !self.features.done {
            let (line, _) = process.receive(deadline)?;
            if let Some(rest) = line.strip_prefix("feature ") {
                for (name, value) in features(rest) {
                    let word = if self.features.take(name, value) { "accepted" } else { "rejected" };
                    process.send(&format!("{word} {name}"))?;
                }
            }
        }
        let variant = hall.variant.name();
        if !self.features.variants.iter().any(|offered| offered == variant) {
            let offered = self.features.variants.join(", ");
            return Err(GreetingError::Unable(format!("it does not play {variant}; it plays {offered}")));
        }
        if let Some(threads) = spec.threads {
            match (self.features.smp, threads) {
                (true, _) => process.send(&format!("cores {threads}"))?,
                (false, 1) => {}
                (false, _) => return Err(GreetingError::Unable("it has one thread only".into())),
            }
        }
        for (name, value) in &spec.options {
            if name.eq_ignore_ascii_case("Hash") && self.features.memory {
                process.send(&format!("memory {value}"))?;
            } else if self.features.options.contains(name) {
                process.send(&format!("option {name}={value}"))?;
            } else {
                let offered = self.features.options.join(", ");
                return Err(GreetingError::Unable(format!("it has no option '{name}'; it has {offered}")));
            }
        }
        self.wait_until_ready(process, hall)?;
        Ok(self.features.name.clone())
    }

    fn new_game(&mut self, process: &mut Process, hall: &Hall, control: &TimeControl) -> Result<(), Failure> {
        self.told = 0;
        for line in ["new", &format!("variant {}", hall.variant.name()), "force", "easy", "post", "computer"]
        {
            process.send(line)?;
        }
        for line in limits(control, hall.patience) {
            process.send(&line)?;
        }
        self.wait_until_ready(process, hall).map(drop)
    }

    fn think(&mut self, process: &mut Process, hall: &Hall, turn: &Turn) -> Result<Reply, Failure> {
        process.send("force")?;
        if let (0, Some(fen)) = (self.told, turn.first_fen) {
            process.send(&format!("setboard {fen}"))?;
        }
        for text in &turn.moves[self.told..] {
            let word = if self.features.usermove { "usermove " } else { "" };
            process.send(&format!("{word}{text}"))?;
        }
        self.told = turn.moves.len();
        if let Some(said) = self.wait_until_ready(process, hall)? {
            return Ok(Reply { said, time: Duration::ZERO, thought: Thought::default() });
        }
        let [own, other] = [turn.side(), !turn.side()].map(|side| &turn.clocks[side.index()]);
        let own_time = own.allowance().unwrap_or(hall.patience);
        process.send(&format!("time {}", own_time.as_millis() / 10))?;
        process.send(&format!("otim {}", other.allowance().unwrap_or(own_time).as_millis() / 10))?;
        let start = Instant::now();
        process.send("go")?;
        let mut thought = Thought::default();
        let mut legs = String::new();
        loop {
            let (line, time) = receive_on_clock(process, hall, own, start)?;
            match read(&line, &mut thought) {
                None => {}
                // More legs of a capture in draughts follow on lines of their own.
                Some(Said::Move(leg)) if leg.ends_with(',') && legs.len() < LONGEST_MOVE => legs += &leg,
                Some(Said::Move(leg)) => {
                    // The engine has made it on its own board.
                    self.told += 1;
                    let said = Said::Move(in_coordinates(legs + &leg, turn.session));
                    return Ok(Reply { said, time, thought });
                }
                Some(said) => return Ok(Reply { said, time, thought }),
            }
        }
    }

    fn game_over(&mut self, process: &mut Process, result: &str, reason: &str) -> Result<(), Failure> {
        process.send("force")?;
        process.send(&format!("result {result} {{{reason}}}"))
    }

    fn takes_positions(&self) -> bool {
        self.features.setboard
    }
}

impl XBoard {
    /// Waits until the engine has read all it was sent. Gives what it said meanwhile: that a move
    /// was illegal, or, right after its own last move, that the game was over.
    fn wait_until_ready(&mut self, process: &mut Process, hall: &Hall) -> Result<Option<Said>, Failure> {
        if !self.features.ping {
            return Ok(None);
        }
        self.last_ping += 1;
        process.send(&format!("ping {}", self.last_ping))?;
        let (deadline, pong) = (Instant::now() + hall.patience, format!("pong {}", self.last_ping));
        let mut said = None;
        loop {
            let (line, _) = process.receive(deadline)?;
            if line == pong {
                return Ok(said);
            }
            said =
                said.or(read(&line, &mut Thought::default()).filter(|said| !matches!(said, Said::Move(_))));
        }
    }
}

impl Features {
    /// Takes note of a feature; false for one that is not known or not wanted.
    fn take(&mut self, name: &str, value: &str) -> bool {
        let on = value == "1";
        match name {
            "myname" => self.name = value.into(),
            "ping" => self.ping = on,
            "usermove" => self.usermove = on,
            "setboard" => self.setboard = on,
            "memory" => self.memory = on,
            "smp" => self.smp = on,
            "variants" => self.variants = value.split(',').map(|name| name.trim().into()).collect(),
            "option" => self.options.push(value.split(" -").next().unwrap_or(value).trim().into()),
            "done" => self.done = on,
            "analyze" | "debug" | "draw" | "exclude" | "highlight" | "name" | "pause" | "playother"
            | "reuse" | "sigint" | "sigterm" | "time" | "xedit" => {}
            // Moves go by their squares, and nobody says `white` or `black`.
            "san" | "colors" => return !on,
            _ => return false,
        }
        true
    }
}

/// No move is longer, in bytes.
const LONGEST_MOVE: usize = 100;

/// A move as the engine wrote it, in our words. Captures of draughts come as XBoard needs them, with
/// the victims between the squares; what is no legal move is left to the referee to name.
fn in_coordinates(text: String, session: &dyn Session) -> String {
    if session.variant() != Variant::SpanishDraughts {
        return text;
    }
    find_draughts_move(&session.legal_moves(), &text).map_or(text, |m| m.text.clone())
}

/// The words of a feature line: `name=value`, `name="a value"`.
fn features(mut rest: &str) -> Vec<(&str, &str)> {
    let mut found = Vec::new();
    while let Some((name, after)) = rest.trim_start().split_once('=') {
        let (value, after) = match after.strip_prefix('"') {
            Some(quoted) => quoted.split_once('"').unwrap_or((quoted, "")),
            None => after.split_once(char::is_whitespace).unwrap_or((after, "")),
        };
        found.push((name, value));
        rest = after;
    }
    found
}

/// The lines that tell an engine its time control.
fn limits(control: &TimeControl, patience: Duration) -> Vec<String> {
    let mut lines = Vec::new();
    if let Some(clock) = control.clock {
        // `level` counts in whole seconds; the `time` before each move is exact.
        let seconds = clock.base.as_secs_f64().ceil() as u64;
        let (moves, increment) = (clock.moves.unwrap_or(0), clock.increment.as_secs_f64());
        lines.push(format!("level {moves} {}:{:02} {increment}", seconds / 60, seconds % 60));
    } else if control.move_time.is_none() {
        lines.push(format!("level 1 {}:{:02} 0", patience.as_secs() / 60, patience.as_secs() % 60));
    }
    lines.extend(control.move_time.map(|time| format!("st {}", time.as_secs_f64())));
    lines.extend(control.depth.map(|depth| format!("sd {depth}")));
    lines
}

/// What an engine's line says, if it is an answer; thinking lines go into `thought`.
fn read(line: &str, thought: &mut Thought) -> Option<Said> {
    let words: Vec<&str> = line.split_whitespace().collect();
    Some(match words[..] {
        ["move", text, ..] => Said::Move(text.into()),
        ["resign", ..] => Said::Resigns,
        ["1-0", ..] => Said::Claims(Some(Color::White)),
        ["0-1", ..] => Said::Claims(Some(Color::Black)),
        ["1/2-1/2", ..] => Said::Claims(None),
        ["Illegal", word, ..] if word.starts_with("move") => {
            Said::Refuses(line.rsplit([' ', ':']).next().unwrap_or_default().into())
        }
        [depth, score, _, nodes, ..] => {
            // Some engines mark the depth, as in `12.` or `12+`.
            let depth = depth.trim_end_matches(|c: char| !c.is_ascii_digit()).parse().ok()?;
            let (score, nodes) = (score.parse().ok()?, nodes.parse().ok()?);
            *thought = Thought { score: Some(read_score(score)), depth: Some(depth), nodes: Some(nodes) };
            return None;
        }
        _ => return None,
    })
}

/// Centipawns, or by the protocol's convention 100000 and the moves to mate.
fn read_score(score: i32) -> Score {
    const MATE: i32 = 100_000;
    match score.saturating_abs() - MATE {
        moves if moves < 0 => Score::Centipawns(score),
        moves => Score::Mate(moves * score.signum()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn feature_lines() {
        assert_eq!(
            features(r#"ping=1 myname="Sha Max 5.0" setboard=0 variants="normal,grande-acedrex" done=1"#),
            [
                ("ping", "1"),
                ("myname", "Sha Max 5.0"),
                ("setboard", "0"),
                ("variants", "normal,grande-acedrex"),
                ("done", "1")
            ]
        );
        assert_eq!(features(r#"option="Hash -spin 1 2 3" x="never closed"#).len(), 2);
        assert!(features("nothing").is_empty());
    }

    #[test]
    fn answers() {
        let mut thought = Thought::default();
        assert_eq!(read(" 4  -12   83  5521 c1f3 c12f10", &mut thought), None);
        let expected = Thought { score: Some(Score::Centipawns(-12)), depth: Some(4), nodes: Some(5521) };
        assert_eq!(thought, expected);
        assert_eq!(read("# times @ 12 34", &mut thought), None);
        assert_eq!(thought, expected);
        assert_eq!(read("9. 100002 1 5 a", &mut thought), None);
        assert_eq!(thought.score, Some(Score::Mate(2)));
        assert_eq!(read("move a11a12r", &mut thought), Some(Said::Move("a11a12r".into())));
        assert_eq!(read("Illegal move (no): g1e3", &mut thought), Some(Said::Refuses("g1e3".into())));
        assert_eq!(read("Illegal move:g1e3", &mut thought), Some(Said::Refuses("g1e3".into())));
        assert_eq!(read("1/2-1/2 {Draw}", &mut thought), Some(Said::Claims(None)));
        assert_eq!(read("tellics say hello there", &mut thought), None);
    }

    #[test]
    fn captures_of_draughts() {
        let mut session = Variant::SpanishDraughts.start(&crate::engine::Options::default());
        session.set_position(Some("W:W15:B19,27"), &[]).unwrap();
        let legal = session.legal_moves();
        assert_eq!(legal.len(), 1);
        let parts = &legal[0].parts;
        let [first, second] = &parts.captured[..] else { panic!("{parts:?}") };
        for text in [
            format!("{}x{first}x{second}-{}d", parts.from, parts.to),
            format!("{}{first},{first}{second},{second}{}d", parts.from, parts.to),
            legal[0].text.clone(),
        ] {
            assert_eq!(in_coordinates(text, &*session), legal[0].text);
        }
        assert_eq!(in_coordinates("a1a1".into(), &*session), "a1a1");
    }

    #[test]
    fn limits_as_lines() {
        let lines = |words: &[(&str, &str)]| {
            let mut control = TimeControl::default();
            for (key, value) in words {
                control.set(key, value).unwrap().unwrap();
            }
            limits(&control, Duration::from_secs(90))
        };
        assert_eq!(lines(&[("tc", "10+0.1")]), ["level 0 0:10 0.1"]);
        assert_eq!(lines(&[("tc", "40/300")]), ["level 40 5:00 0"]);
        assert_eq!(lines(&[("tc", "0.5")]), ["level 0 0:01 0"]);
        assert_eq!(lines(&[("st", "2")]), ["st 2"]);
        assert_eq!(lines(&[("depth", "6")]), ["level 1 1:30 0", "sd 6"]);
    }
}
