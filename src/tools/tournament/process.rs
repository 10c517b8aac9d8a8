//! An engine as a child process: lines in, lines out, and nothing that it does can block or
//! exhaust the match.
//!
//! Three threads serve a process: one writes to it, so that an engine that does not read cannot
//! block the referee; one reads its output and one its errors. The queues between are short. An
//! engine that floods finds its pipe full until the referee reads on, and lines of no end are dropped.

use std::collections::VecDeque;
use std::fmt::{self, Display};
use std::io::{self, BufRead, BufReader, Write};
use std::path::PathBuf;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, TrySendError, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use crate::lines::{Read, read_line};
use crate::logging::WIRE;

/// How a program is started.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CommandLine {
    pub program: String,
    pub arguments: Vec<String>,
    /// Working folder; `None`: that of the match.
    pub folder: Option<PathBuf>,
}

impl Display for CommandLine {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(&self.program)?;
        self.arguments.iter().try_for_each(|argument| write!(f, " {argument}"))
    }
}

/// Why an engine did not do what it was asked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Failure {
    /// The process ended, or closed its output.
    Crash,
    /// No answer in the time allowed, while no clock ran.
    Timeout,
    /// No move before the clock ran out.
    LostClock,
    /// The match was stopped from outside.
    Interrupted,
}

/// Lines held between an engine and the referee, either way.
const QUEUE: usize = 256;
/// Bytes of an engine's line; a principal variation of 250 moves takes a fortieth.
const LONGEST_LINE: usize = 1 << 16;
/// Lines of the dialogue that are kept to explain a failure.
const REMEMBERED: usize = 60;
/// Characters of such a line.
const REMEMBERED_LENGTH: usize = 300;
/// How long to wait for the last line on stderr.
const LAST_WORDS: Duration = Duration::from_millis(300);
/// How often a waiting referee looks whether the match was stopped.
const GLANCE: Duration = Duration::from_millis(50);

/// A line and when it came; `None`: the output ended.
struct Heard {
    at: Instant,
    line: Option<String>,
}

/// A running engine. It is killed when this is dropped.
pub struct Process {
    child: Child,
    input: SyncSender<String>,
    output: Receiver<Heard>,
    /// Hangs up when nothing more comes on stderr.
    errors: Receiver<()>,
    dialogue: Arc<Mutex<Dialogue>>,
    stop: Arc<AtomicBool>,
}

impl Process {
    /// Starts a program. `name` is for the log; once `stop` is set, every wait ends in
    /// [`Failure::Interrupted`].
    ///
    /// # Errors
    /// Where the program cannot be started.
    pub fn start(name: &str, command: &CommandLine, stop: Arc<AtomicBool>) -> io::Result<Self> {
        let mut builder = Command::new(&command.program);
        builder.args(&command.arguments);
        builder.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        if let Some(folder) = &command.folder {
            builder.current_dir(folder);
        }
        keep_signals_away(&mut builder);
        let mut child = builder.spawn()?;
        let dialogue = Arc::new(Mutex::new(Dialogue { name: name.into(), lines: VecDeque::new() }));
        let stdin = child.stdin.take().expect("stdin is piped");
        let stdout = BufReader::new(child.stdout.take().expect("stdout is piped"));
        let stderr = BufReader::new(child.stderr.take().expect("stderr is piped"));
        let (input, to_write) = sync_channel(QUEUE);
        let (heard, output) = sync_channel(QUEUE);
        let (errors_end, errors) = sync_channel(0);
        // From here on the child is killed on every way out.
        let process = Process { child, input, output, errors, dialogue: dialogue.clone(), stop };
        // The threads end with the pipes. Nobody waits for them: a grandchild may hold a pipe open.
        spawn("writer", move || write_lines(stdin, &to_write))?;
        spawn("reader", move || read_lines(stdout, &heard))?;
        spawn("errors", move || {
            read_errors(stderr, &dialogue);
            drop(errors_end);
        })?;
        Ok(process)
    }

    /// Sends a line.
    ///
    /// # Errors
    /// Where the engine is gone or has not read for long. A pipe that breaks later shows when the
    /// answer is waited for.
    pub fn send(&mut self, line: &str) -> Result<(), Failure> {
        self.remember(">", line);
        self.input.try_send(format!("{line}\n")).map_err(|error| match error {
            TrySendError::Full(_) => Failure::Timeout,
            TrySendError::Disconnected(_) => Failure::Crash,
        })
    }

    /// Waits for the next line; tells when it came.
    ///
    /// # Errors
    /// Where none came up to `deadline`, or none will come.
    pub fn receive(&mut self, deadline: Instant) -> Result<(String, Instant), Failure> {
        loop {
            if self.stop.load(Relaxed) {
                return Err(Failure::Interrupted);
            }
            let left = deadline.saturating_duration_since(Instant::now());
            match self.output.recv_timeout(left.min(GLANCE)) {
                // What an engine floods with is read to get at what lies behind, but not for ever.
                Ok(Heard { at, .. }) if at > deadline => return Err(Failure::Timeout),
                Ok(Heard { at, line: Some(line) }) => {
                    self.remember("<", &line);
                    return Ok((line, at));
                }
                Ok(Heard { line: None, .. }) | Err(RecvTimeoutError::Disconnected) => {
                    self.remember("<", "(end of output)");
                    // What it complained of is worth a moment's waiting.
                    let _ = self.errors.recv_timeout(LAST_WORDS);
                    return Err(Failure::Crash);
                }
                Err(RecvTimeoutError::Timeout) if left.is_zero() => return Err(Failure::Timeout),
                Err(RecvTimeoutError::Timeout) => {}
            }
        }
    }

    /// The last lines of the dialogue: `>` to the engine, `<` from it, `!` what it wrote to stderr.
    pub fn dialogue(&self) -> Vec<String> {
        self.lock().lines.iter().cloned().collect()
    }

    /// Says good-bye, and gives the engine a moment to leave by itself before it is killed.
    pub fn quit(mut self) {
        const MOMENT: Duration = Duration::from_millis(500);
        let start = Instant::now();
        if self.send("quit").is_ok() {
            while start.elapsed() < MOMENT && matches!(self.child.try_wait(), Ok(None)) {
                thread::sleep(Duration::from_millis(5));
            }
        }
    }

    fn remember(&self, direction: &str, line: &str) {
        self.lock().add(direction, line);
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Dialogue> {
        self.dialogue.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        // Both fail only where the process has ended already.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// What was said lately.
struct Dialogue {
    name: String,
    lines: VecDeque<String>,
}

impl Dialogue {
    fn add(&mut self, direction: &str, line: &str) {
        let mut text = format!("{direction} ");
        text.extend(line.chars().take(REMEMBERED_LENGTH));
        log::info!(target: WIRE, "{} {text}", self.name);
        if self.lines.len() == REMEMBERED {
            self.lines.pop_front();
        }
        self.lines.push_back(text);
    }
}

/// Keeps Ctrl-C on the terminal from reaching the engine: it is for the match to end it, and no crash.
#[cfg(unix)]
fn keep_signals_away(builder: &mut Command) {
    use std::os::unix::process::CommandExt;
    builder.process_group(0);
}

/// Keeps Ctrl-C on the console from reaching the engine: it is for the match to end it, and no crash.
#[cfg(windows)]
fn keep_signals_away(builder: &mut Command) {
    use std::os::windows::process::CommandExt;
    const CREATE_NEW_PROCESS_GROUP: u32 = 0x200;
    builder.creation_flags(CREATE_NEW_PROCESS_GROUP);
}

fn spawn(name: &str, work: impl FnOnce() + Send + 'static) -> io::Result<()> {
    thread::Builder::new().name(name.into()).spawn(work).map(drop)
}

fn write_lines(mut stdin: ChildStdin, lines: &Receiver<String>) {
    for line in lines {
        if stdin.write_all(line.as_bytes()).and_then(|()| stdin.flush()).is_err() {
            return;
        }
    }
}

fn read_lines(mut source: impl BufRead, queue: &SyncSender<Heard>) {
    let mut bytes = Vec::new();
    loop {
        bytes.clear();
        let line = match read_line(&mut source, &mut bytes, LONGEST_LINE) {
            Ok(Read::Line) => Some(String::from_utf8_lossy(&bytes).trim().to_owned()),
            Ok(Read::TooLong) => continue,
            Ok(Read::End) | Err(_) => None,
        };
        let end = line.is_none();
        if queue.send(Heard { at: Instant::now(), line }).is_err() || end {
            return;
        }
    }
}

fn read_errors(mut source: impl BufRead, dialogue: &Mutex<Dialogue>) {
    let mut bytes = Vec::new();
    loop {
        bytes.clear();
        match read_line(&mut source, &mut bytes, LONGEST_LINE) {
            Ok(Read::Line) => {
                let line = String::from_utf8_lossy(&bytes);
                dialogue.lock().unwrap_or_else(PoisonError::into_inner).add("!", line.trim_end());
            }
            Ok(Read::TooLong) => {}
            Ok(Read::End) | Err(_) => return,
        }
    }
}
