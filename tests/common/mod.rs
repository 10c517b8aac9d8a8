//! What the tests from outside share: a dialogue with the program, and seeded chance.

#![allow(dead_code, reason = "each test program uses a part of it")]

pub mod screen;
pub mod xboard;

use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStdin, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread;
use std::time::Duration;

/// How long to wait for what must come: far longer than it ever takes, so that only a program that
/// hangs fails.
const PATIENCE: Duration = Duration::from_secs(180);

/// The program under test.
pub const ALFONSO: &str = env!("CARGO_BIN_EXE_alfonso");

/// A dialogue with the program, line by line.
pub struct Dialogue {
    child: Child,
    input: Option<ChildStdin>,
    lines: Receiver<String>,
    /// What the program wrote to stderr, once it is over.
    complaints: Receiver<String>,
    /// Both sides so far, for the message of a failed test.
    transcript: String,
}

impl Dialogue {
    /// Starts the program with these arguments.
    pub fn start(arguments: &[&str]) -> Self {
        Self::of(Command::new(ALFONSO).args(arguments))
    }

    /// Starts a program of the test's own making.
    pub fn of(command: &mut Command) -> Self {
        let mut child = command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the program starts");
        let (sender, lines) = channel();
        let stdout = BufReader::new(child.stdout.take().expect("stdout is piped"));
        thread::spawn(move || {
            for line in stdout.lines().map_while(Result::ok) {
                if sender.send(line).is_err() {
                    return;
                }
            }
        });
        let (sender, complaints) = channel();
        let mut stderr = child.stderr.take().expect("stderr is piped");
        thread::spawn(move || {
            let mut text = Vec::new();
            let _ = stderr.read_to_end(&mut text);
            let _ = sender.send(String::from_utf8_lossy(&text).into_owned());
        });
        let input = child.stdin.take();
        Dialogue { child, input, lines, complaints, transcript: String::new() }
    }

    /// Sends a line, or several.
    pub fn send(&mut self, line: impl AsRef<str>) {
        let line = line.as_ref();
        self.note('>', line);
        self.send_bytes(format!("{line}\n").as_bytes());
    }

    /// Sends bytes as they are.
    pub fn send_bytes(&mut self, bytes: &[u8]) {
        let input = self.input.as_mut().expect("the input is still open");
        input.write_all(bytes).and_then(|()| input.flush()).expect("the program reads");
    }

    /// The next line of the program; `None` once it has closed its output.
    pub fn next_line(&mut self) -> Option<String> {
        match self.lines.recv_timeout(PATIENCE) {
            Ok(line) => {
                self.note('<', &line);
                Some(line)
            }
            Err(RecvTimeoutError::Disconnected) => None,
            Err(RecvTimeoutError::Timeout) => panic!("no answer:\n{}", self.transcript),
        }
    }

    /// Lines up to and with the first that is `wanted`.
    pub fn until(&mut self, wanted: impl Fn(&str) -> bool) -> Vec<String> {
        let mut lines = Vec::new();
        loop {
            let Some(line) = self.next_line() else { panic!("the output ended:\n{}", self.transcript) };
            let last = wanted(&line);
            lines.push(line);
            if last {
                return lines;
            }
        }
    }

    /// UCI: sends what is answered at once and returns the lines of the answer.
    pub fn ask(&mut self, line: impl AsRef<str>) -> Vec<String> {
        self.send(line);
        self.send("isready");
        let mut lines = self.until(|line| line == "readyok");
        lines.pop();
        lines
    }

    /// UCI: sends a `go` that ends of itself and returns the lines up to the best move.
    pub fn search(&mut self, go: impl AsRef<str>) -> Vec<String> {
        self.send(go);
        self.best_move()
    }

    /// UCI: the lines up to the best move.
    pub fn best_move(&mut self) -> Vec<String> {
        self.until(|line| line.starts_with("bestmove"))
    }

    /// UCI: the FEN of the position now.
    pub fn fen(&mut self) -> String {
        let shown = self.ask("d");
        let fen = shown.iter().find_map(|line| line.strip_prefix("FEN: "));
        fen.expect("the display has a FEN").to_owned()
    }

    /// XBoard: a program that has been greeted, in the given game.
    pub fn xboard(variant: &str) -> Self {
        let mut xboard = Self::start(&["xboard"]);
        xboard.send("xboard\nprotover 2");
        xboard.until(|line| line.ends_with("done=1"));
        xboard.told(format!("new\nvariant {variant}\nlevel 40 5 0\nmemory 1"));
        xboard
    }

    /// XBoard: sends lines and returns all that is said until they are obeyed.
    pub fn told(&mut self, lines: impl AsRef<str>) -> Vec<String> {
        self.send(lines);
        self.send("ping 78");
        let mut answer = self.until(|line| line == "pong 78");
        answer.pop();
        answer
    }

    /// Nothing more comes from this side.
    pub fn close_input(&mut self) {
        self.input = None;
    }

    /// Nothing more is read from the program.
    pub fn close_output(&mut self) {
        // The reading thread ends, and with it the pipe, at the next line.
        self.lines = channel().1;
    }

    /// Closes the input, waits for the program to end, and returns what it still wrote. Whatever
    /// happened, it must not have panicked.
    pub fn finish(mut self) -> (Vec<String>, ExitStatus) {
        self.close_input();
        let mut lines = Vec::new();
        while let Some(line) = self.next_line() {
            lines.push(line);
        }
        let Ok(complaints) = self.complaints.recv_timeout(PATIENCE) else {
            panic!("the program does not end:\n{}", self.transcript)
        };
        assert!(!complaints.contains("panicked"), "{complaints}\n{}", self.transcript);
        let status = self.child.wait().expect("the program was started");
        (lines, status)
    }

    /// UCI: `quit`, which must end the program in good order.
    pub fn quit(mut self) {
        self.send("quit");
        let (_, status) = self.finish();
        assert!(status.success(), "{status}");
    }

    fn note(&mut self, direction: char, line: &str) {
        const MOST: usize = 1 << 16;
        if self.transcript.len() < MOST {
            self.transcript.push(direction);
            self.transcript.push(' ');
            self.transcript.extend(line.chars().take(300));
            self.transcript.push('\n');
        }
    }
}

impl Drop for Dialogue {
    fn drop(&mut self) {
        // A failed test leaves no program behind; one that has ended cannot be killed again.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Is there a line that contains `text`?
pub fn says(lines: &[String], text: &str) -> bool {
    lines.iter().any(|line| line.contains(text))
}

/// The lines with `#` in place of numbers that depend on the clock, the strength or the machine, and
/// of lines of moves: what is left is the form.
pub fn form(lines: &[String]) -> String {
    let mut text = String::new();
    for line in lines {
        let mut words = line.split(' ');
        while let Some(word) = words.next() {
            text.push_str(word);
            text.push(' ');
            match word {
                "seldepth" | "cp" | "nodes" | "nps" | "hashfull" | "time" => {
                    words.next();
                    text.push_str("# ");
                }
                "pv" | "bestmove" | "ponder" => {
                    let moves = if word == "pv" { usize::MAX } else { 1 };
                    words.by_ref().take(moves).for_each(drop);
                    text.push_str("# ");
                }
                _ => {}
            }
        }
        text.pop();
        text.push('\n');
    }
    text
}

/// The word after `key` in a line.
pub fn word_after<'a>(line: &'a str, key: &str) -> Option<&'a str> {
    line.split(' ').skip_while(|&word| word != key).nth(1)
}

/// The lines without the numbers that the clock makes.
pub fn timeless(lines: &[String]) -> Vec<String> {
    let cut = |line: &String| {
        let mut words: Vec<&str> = line.split(' ').collect();
        for index in 1..words.len() {
            if matches!(words[index - 1], "time" | "nps") {
                words[index] = "#";
            }
        }
        words.join(" ")
    };
    lines.iter().map(cut).collect()
}

/// A seeded source of chance (SplitMix64, public domain, by Sebastiano Vigna).
pub struct Chance(u64);

impl Chance {
    pub fn seeded(seed: u64) -> Self {
        Chance(seed)
    }

    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    /// A number below `end`.
    pub fn below(&mut self, end: usize) -> usize {
        (self.next() % end as u64) as usize
    }

    /// One of the items.
    pub fn of<'a, T: ?Sized>(&mut self, items: &[&'a T]) -> &'a T {
        items[self.below(items.len())]
    }

    /// True once in `n` times.
    pub fn once_in(&mut self, n: usize) -> bool {
        self.below(n) == 0
    }
}
