//! `alfonso play`: a game against the engine in the terminal, by lines of text.

use std::collections::VecDeque;
use std::io::{self, BufRead, IsTerminal, Write, stdin, stdout};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;
use std::time::Duration;

use clap::{ValueEnum, value_parser};

use super::variant_parser;
use crate::engine::{Engine, Event, LegalMove, Outcome, Report, Variant};
use crate::game::{Color, Ending, MoveError};
use crate::search::Limits;
use crate::search::score::{Score, is_decided};

const USUAL_LEVEL: u32 = 5;

/// Arguments of `alfonso play`.
#[derive(clap::Args)]
pub struct Arguments {
    /// The game
    #[arg(long, default_value = Variant::DEFAULT.name(), value_parser = variant_parser())]
    variant: Variant,
    /// How far the engine looks, from 1 (a beginner) to 10
    #[arg(long, default_value_t = USUAL_LEVEL, value_parser = value_parser!(u32).range(1..=10))]
    level: u32,
    /// Seconds the engine may think about a move, in place of a level
    #[arg(long, conflicts_with = "level", value_parser = seconds, allow_negative_numbers = true)]
    time: Option<Duration>,
    /// Your side
    #[arg(long, value_enum, default_value_t = Side::White)]
    side: Side,
    /// The position to start from, as a FEN of the game
    #[arg(long)]
    fen: Option<String>,
}

/// Who is played by the person at the terminal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Side {
    White,
    Black,
    /// Both: two people, the engine gives hints
    Both,
    /// Neither: the engine plays itself
    None,
}

impl Side {
    fn plays(self, color: Color) -> bool {
        match self {
            Side::White => color == Color::White,
            Side::Black => color == Color::Black,
            Side::Both => true,
            Side::None => false,
        }
    }
}

fn seconds(text: &str) -> Result<Duration, String> {
    text.parse()
        .ok()
        .filter(|seconds| (0.01..=86_400.0).contains(seconds))
        .map(Duration::from_secs_f64)
        .ok_or_else(|| "allowed: seconds from 0.01 to 86400".into())
}

/// Plays until the player leaves.
///
/// # Errors
/// Where the engine cannot be set up, for an unreadable FEN, or a closed output.
pub fn run(arguments: Arguments) -> anyhow::Result<()> {
    let (sender, inbox) = channel();
    let events = sender.clone();
    let mut engine = Engine::new(Arc::new(move |event| {
        // Nobody listens once the game is left.
        let _ = events.send(Input::Event(event));
    }))?;
    engine.set_option("UCI_Variant", Some(arguments.variant.name()))?;
    engine.session_mut().set_position(arguments.fen.as_deref(), &[])?;
    thread::spawn(move || read_lines(&sender));
    let limits = |level| match arguments.time {
        Some(time) => Limits { move_time: Some(time), ..Limits::default() },
        None => Limits { nodes: Some(nodes_of_level(level)), ..Limits::default() },
    };
    TerminalGame {
        engine,
        inbox,
        typed: VecDeque::new(),
        ended: false,
        at_terminal: stdin().is_terminal(),
        limits: limits(arguments.level),
        // Who plays against a beginner wants no beginner's advice.
        hint_limits: limits(arguments.level.max(USUAL_LEVEL)),
        side: arguments.side,
        fen: arguments.fen,
        resigned: None,
    }
    .play()?;
    Ok(())
}

/// Nodes a move: a few hundred at level 1, three times as many at each further one.
fn nodes_of_level(level: u32) -> u64 {
    300 * 3u64.pow(level - 1)
}

/// What happens at the terminal.
enum Input {
    Line(String),
    /// Nothing more will be typed.
    End,
    Event(Event),
}

/// Sends what is typed; bytes that are no text are replaced.
fn read_lines(inbox: &Sender<Input>) {
    let mut stdin = stdin().lock();
    loop {
        let mut bytes = Vec::new();
        let input = match stdin.read_until(b'\n', &mut bytes) {
            Ok(1..) => Input::Line(String::from_utf8_lossy(&bytes).trim().to_owned()),
            Ok(0) | Err(_) => Input::End,
        };
        let end = matches!(input, Input::End);
        if inbox.send(input).is_err() || end {
            return;
        }
    }
}

const HELP: &str = "  \
  a move     by its squares (g1e3, h3g4) or in the game's notation (Ke3, 9-13)
  moves      the legal moves, and why there are no others
  pieces     the letters on the board, and how the pieces move
  board      the board again           fen      the position as text
  hint       what the engine would play, at level 5 or more
  back       take back your last move  eval     how it stands, term by term
  resign     give the game up          new      a new game
  help       this list                 quit     leave
While the engine thinks, an empty line makes it move at once.
";

/// A game at the terminal.
struct TerminalGame {
    engine: Engine,
    inbox: Receiver<Input>,
    /// Lines that came while the engine was thinking.
    typed: VecDeque<String>,
    /// Has the input ended?
    ended: bool,
    /// Is there a person who sees the screen, and can interrupt?
    at_terminal: bool,
    /// What the engine's search for a move is limited to.
    limits: Limits,
    /// What its search for a hint is limited to.
    hint_limits: Limits,
    side: Side,
    /// Where the game began, if not at the start position.
    fen: Option<String>,
    /// Who has given this game up.
    resigned: Option<Color>,
}

/// What comes of a line.
enum Next {
    /// It is (still) this player's turn.
    Ask,
    /// Whose turn it is may have changed.
    Go,
    Quit,
}

impl TerminalGame {
    fn play(&mut self) -> io::Result<()> {
        say(&format!(
            "alfonso {}: {}. 'help' lists the words, 'pieces' the moves.\n",
            env!("CARGO_PKG_VERSION"),
            self.engine.options().variant.name()
        ))?;
        self.show_board()?;
        loop {
            let result = self.result();
            if let Some(result) = &result {
                say(&format!("{result}\n"))?;
                if self.side == Side::None {
                    return Ok(());
                }
            }
            let next = match result {
                None if !self.side.plays(self.engine.session().side_to_move()) => self.engine_moves()?,
                _ => self.ask()?,
            };
            if let Next::Quit = next {
                return Ok(());
            }
        }
    }

    /// How the game ended, for people; `None` while it goes on.
    fn result(&self) -> Option<String> {
        if let Some(loser) = self.resigned {
            let result = if loser == Color::White { "0-1" } else { "1-0" };
            return Some(format!("{result}: {loser} resigns."));
        }
        self.engine.session().ending().map(result_text)
    }

    /// Asks until the game goes on elsewhere or the player leaves.
    fn ask(&mut self) -> io::Result<Next> {
        loop {
            say(&match self.result() {
                Some(_) => "(back, new or quit) > ".to_owned(),
                None => format!("{} to move > ", self.engine.session().side_to_move()),
            })?;
            let line = self.next_line();
            if !self.at_terminal {
                // What a pipe sends is not seen on the screen.
                say(&format!("{}\n", line.as_deref().unwrap_or_default()))?;
            }
            let next = match line {
                Some(line) => self.obey(&line)?,
                None => Next::Quit,
            };
            if !matches!(next, Next::Ask) {
                return Ok(next);
            }
        }
    }

    /// The next line typed; `None` at the end of the input.
    fn next_line(&mut self) -> Option<String> {
        if let Some(line) = self.typed.pop_front() {
            return Some(line);
        }
        while !self.ended {
            match self.inbox.recv() {
                Ok(Input::Line(line)) => return Some(line),
                Ok(Input::Event(_)) => {}
                Ok(Input::End) | Err(_) => self.ended = true,
            }
        }
        None
    }

    fn obey(&mut self, line: &str) -> io::Result<Next> {
        match line.to_ascii_lowercase().as_str() {
            "" => {}
            "help" | "?" => say(HELP)?,
            "pieces" | "rules" => say(self.engine.session().legend())?,
            "board" | "b" => self.show_board()?,
            "fen" => say(&format!("{}\n", self.engine.session().fen()))?,
            "moves" | "m" => self.show_moves()?,
            "eval" => self.show_evaluation()?,
            "hint" | "h" => return self.hint(),
            "back" | "undo" => return self.take_back(),
            "new" => return self.new_game(),
            "quit" | "exit" | "q" => return Ok(Next::Quit),
            _ if self.result().is_some() => say("the game is over: back, new or quit\n")?,
            "resign" => {
                self.resigned = Some(self.engine.session().side_to_move());
                return Ok(Next::Go);
            }
            _ => return self.play_typed(line),
        }
        Ok(Next::Ask)
    }

    /// Plays the move that a line means; capitals are not insisted on.
    fn play_typed(&mut self, line: &str) -> io::Result<Next> {
        let session = self.engine.session_mut();
        let lower = line.to_lowercase();
        let mut letters = lower.chars();
        let capital: String =
            letters.next().into_iter().flat_map(char::to_uppercase).chain(letters).collect();
        let played = session.play(line).or_else(|error: MoveError| {
            session.play(&lower).or_else(|_| session.play(&capital)).map_err(|_| error)
        });
        if let Err(error) = played {
            say(&format!("{}\n", textwrap::fill(&error.to_string(), SCREEN)))?;
            say("'moves' lists the legal moves, 'help' all else.\n")?;
            return Ok(Next::Ask);
        }
        if self.side == Side::Both || self.engine.session().ending().is_some() {
            self.show_board()?;
        }
        Ok(Next::Go)
    }

    fn engine_moves(&mut self) -> io::Result<Next> {
        let Some((m, report)) = self.search(self.limits.clone())? else { return Ok(Next::Quit) };
        let session = self.engine.session_mut();
        let (number, side) = (session.move_number(), session.side_to_move());
        let dots = if side == Color::White { "." } else { "..." };
        session.play(&m.text).expect("the engine plays legal moves");
        say(&format!(
            "\n{side} plays {number}{dots} {}   {}\n",
            both_forms(&m),
            verdict(report.as_ref(), side)
        ))?;
        self.show_board()?;
        Ok(Next::Go)
    }

    /// Searches the position and waits for the answer; `None` if the player leaves meanwhile.
    ///
    /// At a terminal an empty line makes the engine answer at once; lines out of a pipe
    /// were all written beforehand and wait for their turn.
    fn search(&mut self, limits: Limits) -> io::Result<Option<(LegalMove, Option<Report>)>> {
        if self.engine.go(limits, &[]).is_err() {
            return Ok(None);
        }
        if self.at_terminal {
            say("thinking …\r")?;
        }
        let mut last = None;
        let mut leaving = false;
        while let Ok(input) = self.inbox.recv() {
            match input {
                Input::Event(Event::Info(_, report)) => last = Some(report),
                Input::Event(Event::Progress(..)) => {}
                Input::Event(Event::Done(id, outcome)) => {
                    self.engine.finish(id);
                    let Outcome::Best(answer) = outcome else { return Ok(None) };
                    let m =
                        self.engine.session().read_move(&answer.best).expect("the engine plays legal moves");
                    return Ok((!leaving).then_some((m, last)));
                }
                Input::Line(line) if self.at_terminal && line.is_empty() => self.engine.stop(),
                Input::Line(line) if self.at_terminal && matches!(line.as_str(), "quit" | "exit" | "q") => {
                    leaving = true;
                    self.engine.stop();
                }
                Input::Line(line) => self.typed.push_back(line),
                // It shows when the next line is wanted.
                Input::End => self.ended = true,
            }
        }
        Ok(None)
    }

    fn show_board(&self) -> io::Result<()> {
        let bottom = if self.side == Side::Black { Color::Black } else { Color::White };
        say(&format!("\n{}", self.engine.session().diagram(bottom)))?;
        match self.engine.session().constraint() {
            Some(constraint) if self.result().is_none() => say(&format!("{constraint}\n")),
            _ => Ok(()),
        }
    }

    fn show_moves(&self) -> io::Result<()> {
        let session = self.engine.session();
        if self.result().is_some() {
            return say("the game is over: there is no move\n");
        }
        if let Some(constraint) = session.constraint() {
            say(&format!("{constraint}\n"))?;
        }
        let moves: Vec<String> = session.legal_moves().iter().map(both_forms).collect();
        let plural = if moves.len() == 1 { "" } else { "s" };
        say(&format!("{} legal move{plural}:\n{}", moves.len(), in_columns(&moves)))
    }

    fn show_evaluation(&self) -> io::Result<()> {
        let (terms, total) = self.engine.session().evaluation();
        for term in terms {
            say(&format!("{:<24} White {:>7}  Black {:>7}\n", term.name, term.white, term.black))?;
        }
        say(&format!("in all {total:+} for White, in hundredths of a pawn or man\n"))
    }

    fn hint(&mut self) -> io::Result<Next> {
        if self.result().is_some() {
            say("the game is over: there is no move\n")?;
            return Ok(Next::Ask);
        }
        let side = self.engine.session().side_to_move();
        let Some((m, report)) = self.search(self.hint_limits.clone())? else { return Ok(Next::Quit) };
        say(&format!("hint: {}   {}\n", both_forms(&m), verdict(report.as_ref(), side)))?;
        Ok(Next::Ask)
    }

    /// Takes moves back until it is this player's turn again, or the resignation.
    fn take_back(&mut self) -> io::Result<Next> {
        if self.resigned.take().is_none() {
            let mut earlier = self.engine.session().clone_box();
            let mut plies = 0;
            loop {
                if !earlier.undo() {
                    say("this is where the game began\n")?;
                    return Ok(Next::Ask);
                }
                plies += 1;
                if self.side.plays(earlier.side_to_move()) {
                    break;
                }
            }
            for _ in 0..plies {
                self.engine.session_mut().undo();
            }
        }
        self.show_board()?;
        Ok(Next::Go)
    }

    fn new_game(&mut self) -> io::Result<Next> {
        self.resigned = None;
        self.engine.new_game();
        let again = self.engine.session_mut().set_position(self.fen.as_deref(), &[]);
        again.expect("this position was set up before");
        self.show_board()?;
        Ok(Next::Go)
    }
}

/// Columns of a line: a terminal has 80.
const SCREEN: usize = 78;

fn say(text: &str) -> io::Result<()> {
    let mut out = stdout().lock();
    out.write_all(text.as_bytes())?;
    out.flush()
}

/// The game's notation, and the squares in brackets where those are something else.
fn both_forms(m: &LegalMove) -> String {
    if m.notation == m.text { m.text.clone() } else { format!("{} ({})", m.notation, m.text) }
}

/// What the engine thinks of the position that `side` has to move in.
fn verdict(report: Option<&Report>, side: Color) -> String {
    let Some(report) = report else { return String::new() };
    match report.score {
        Score::Mate(moves) if moves > 0 => format!("{side} wins in {moves}"),
        Score::Mate(moves) => format!("{side} loses in {}", -moves),
        Score::Centipawns(score) if is_decided(score) => {
            format!("{side} {} by the endgame tables", if score > 0 { "wins" } else { "loses" })
        }
        Score::Centipawns(score) => {
            format!("{:+.2} for {side}, depth {}", f64::from(score) / 100.0, report.depth)
        }
    }
}

fn result_text(ending: Ending) -> String {
    match ending.winner {
        Some(winner) => format!("{}: {winner} wins ({}).", ending.result(), ending.reason),
        None => format!("{}: a draw ({}).", ending.result(), ending.reason),
    }
}

/// Items in as many columns as a terminal of 80 has room for.
fn in_columns(items: &[String]) -> String {
    let width = items.iter().map(String::len).max().unwrap_or(0) + 2;
    let columns = (SCREEN / width).max(1);
    items
        .chunks(columns)
        .map(|row| {
            let row: String = row.iter().map(|item| format!("{item:<width$}")).collect();
            format!("  {}\n", row.trim_end())
        })
        .collect()
}
