//! `alfonso play`: a game against the engine in the terminal, by lines of text.

use std::io::{self, BufRead, IsTerminal, Write, stdin, stdout};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

use clap::{ValueEnum, value_parser};

use super::variant_parser;
use crate::engine::{Engine, Event, LegalMove, Outcome, Report, Variant};
use crate::game::{Color, Ending};
use crate::search::Limits;
use crate::search::score::Score;

/// Arguments of `alfonso play`.
#[derive(clap::Args)]
pub struct Arguments {
    /// The game
    #[arg(long, default_value = Variant::DEFAULT.name(), value_parser = variant_parser())]
    variant: Variant,
    /// How far the engine looks, from 1 (a beginner) to 10
    #[arg(long, default_value_t = 5, value_parser = value_parser!(u32).range(1..=10))]
    level: u32,
    /// Seconds the engine may think about a move, in place of a level
    #[arg(long, conflicts_with = "level", value_parser = seconds)]
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

fn seconds(text: &str) -> Result<Duration, String> {
    text.parse()
        .ok()
        .filter(|seconds| (0.01..=86_400.0).contains(seconds))
        .map(Duration::from_secs_f64)
        .ok_or_else(|| "allowed: seconds from 0.01 to 86400".into())
}

/// Plays until the game is over and the player has had enough.
///
/// # Errors
/// Where the engine cannot be set up, for an unreadable FEN, or a closed output.
pub fn run(arguments: Arguments) -> anyhow::Result<()> {
    let (sender, events) = channel();
    let mut engine = Engine::new(Arc::new(move |event| {
        let _ = sender.send(event);
    }))?;
    engine.set_option("UCI_Variant", Some(arguments.variant.name()))?;
    engine.session_mut().set_position(arguments.fen.as_deref(), &[])?;
    let limits = match arguments.time {
        Some(time) => Limits { move_time: Some(time), ..Limits::default() },
        None => Limits { nodes: Some(nodes_of_level(arguments.level)), ..Limits::default() },
    };
    let mut table = TerminalGame { engine, events, limits, side: arguments.side, fen: arguments.fen };
    table.play()?;
    Ok(())
}

/// Nodes a move: a few hundred at level 1, three times as many at each further one.
fn nodes_of_level(level: u32) -> u64 {
    300 * 3u64.pow(level - 1)
}

const HELP: &str = "\
  a move     by its squares (g1e3, h3g4) or in the game's notation (Ke3, 9-13)
  moves      the legal moves, and why there are no others
  board      the board again           fen      the position as text
  hint       what the engine would play
  back       take back your last move  eval     how it stands, term by term
  resign     give the game up          new      a new game
  help       this list                 quit     leave
";

/// A game at the terminal.
struct TerminalGame {
    engine: Engine,
    events: Receiver<Event>,
    /// What the engine's search is limited to.
    limits: Limits,
    side: Side,
    /// Where the game began, if not at the start position.
    fen: Option<String>,
}

/// What comes of a line.
enum Next {
    /// It is (still) this player's turn.
    Ask,
    /// The position has changed.
    Move,
    Quit,
}

impl TerminalGame {
    fn play(&mut self) -> io::Result<()> {
        say(&format!(
            "alfonso {}: {}. 'help' lists what you can type.\n",
            env!("CARGO_PKG_VERSION"),
            self.engine.options().variant.name()
        ))?;
        self.show_board()?;
        loop {
            let over = self.engine.session().ending();
            if let Some(ending) = over {
                say(&format!("{}\n", result_text(ending)))?;
                if self.side == Side::None {
                    return Ok(());
                }
            }
            let next = match over {
                None if !self.is_persons_turn() => self.engine_moves()?,
                _ => self.ask()?,
            };
            if let Next::Quit = next {
                return Ok(());
            }
        }
    }

    fn is_persons_turn(&self) -> bool {
        match self.side {
            Side::White => self.engine.session().side_to_move() == Color::White,
            Side::Black => self.engine.session().side_to_move() == Color::Black,
            Side::Both => true,
            Side::None => false,
        }
    }

    /// Asks until the position changes or the player leaves.
    fn ask(&mut self) -> io::Result<Next> {
        loop {
            let session = self.engine.session();
            say(&match session.ending() {
                Some(_) => "(back, new or quit) > ".to_owned(),
                None => format!("{} to move > ", session.side_to_move()),
            })?;
            let mut line = String::new();
            let read = read_line(&mut line);
            if !stdin().is_terminal() {
                // What a pipe sends is not seen on the screen.
                say(&format!("{}\n", line.trim_end()))?;
            }
            let next = match read {
                Ok(true) => self.obey(line.trim())?,
                Ok(false) | Err(_) => Next::Quit,
            };
            if !matches!(next, Next::Ask) {
                return Ok(next);
            }
        }
    }

    fn obey(&mut self, line: &str) -> io::Result<Next> {
        match line.to_ascii_lowercase().as_str() {
            "" => {}
            "help" | "?" => say(HELP)?,
            "board" | "b" => self.show_board()?,
            "fen" => say(&format!("{}\n", self.engine.session().fen()))?,
            "moves" | "m" => self.show_moves()?,
            "eval" => self.show_evaluation()?,
            "hint" | "h" => self.hint()?,
            "back" | "undo" => return self.take_back(),
            "new" => return self.new_game(),
            "resign" => return self.resign(),
            "quit" | "exit" | "q" => return Ok(Next::Quit),
            _ => match self.engine.session_mut().play(line) {
                Ok(()) => {
                    if self.side == Side::Both || self.engine.session().ending().is_some() {
                        self.show_board()?;
                    }
                    return Ok(Next::Move);
                }
                Err(error) => say(&format!("{error}\n'moves' lists the legal moves, 'help' all else.\n"))?,
            },
        }
        Ok(Next::Ask)
    }

    fn engine_moves(&mut self) -> io::Result<Next> {
        let Some((m, report)) = self.search(self.limits.clone()) else { return Ok(Next::Quit) };
        let session = self.engine.session_mut();
        let (number, side) = (session.move_number(), session.side_to_move());
        session.play(&m.text).expect("the engine plays legal moves");
        say(&format!("\n{side} plays {number}. {}   ({})\n", both_forms(&m), verdict(&report)))?;
        self.show_board()?;
        Ok(Next::Move)
    }

    /// Searches the position and waits for the answer.
    fn search(&mut self, limits: Limits) -> Option<(LegalMove, Option<Report>)> {
        self.engine.go(limits, &[]).ok()?;
        let mut last = None;
        loop {
            match self.events.recv().ok()? {
                Event::Info(_, report) => last = Some(report),
                Event::Progress(..) => {}
                Event::Done(id, outcome) => {
                    self.engine.finish(id);
                    let Outcome::Best(answer) = outcome else { return None };
                    return Some((self.engine.session().read_move(&answer.best).ok()?, last));
                }
            }
        }
    }

    fn show_board(&self) -> io::Result<()> {
        say(&format!("\n{}", self.engine.session().diagram()))?;
        if let Some(constraint) = self.engine.session().constraint() {
            say(&format!("{constraint}\n"))?;
        }
        Ok(())
    }

    fn show_moves(&self) -> io::Result<()> {
        let session = self.engine.session();
        if let Some(constraint) = session.constraint() {
            say(&format!("{constraint}\n"))?;
        }
        let moves: Vec<String> = session.legal_moves().iter().map(both_forms).collect();
        say(&format!(
            "{} legal move{}:\n{}",
            moves.len(),
            if moves.len() == 1 { "" } else { "s" },
            in_columns(&moves)
        ))
    }

    fn show_evaluation(&self) -> io::Result<()> {
        let (terms, total) = self.engine.session().evaluation();
        for term in terms {
            say(&format!("{:<24} White {:>7}  Black {:>7}\n", term.name, term.white, term.black))?;
        }
        say(&format!("in all {total:+} for White, in hundredths of a pawn or man\n"))
    }

    fn hint(&mut self) -> io::Result<()> {
        match self.search(self.limits.clone()) {
            Some((m, report)) => say(&format!("hint: {}   ({})\n", both_forms(&m), verdict(&report))),
            None => say("there is no move to play\n"),
        }
    }

    /// Takes moves back until it is this player's turn again.
    fn take_back(&mut self) -> io::Result<Next> {
        let mut any = self.engine.session_mut().undo();
        while any && !self.is_persons_turn() {
            any = self.engine.session_mut().undo();
        }
        if !any && self.engine.session().plies() == 0 {
            say("this is where the game began\n")?;
        }
        self.show_board()?;
        Ok(if self.is_persons_turn() { Next::Ask } else { Next::Move })
    }

    fn new_game(&mut self) -> io::Result<Next> {
        self.engine.new_game();
        let again = self.engine.session_mut().set_position(self.fen.as_deref(), &[]);
        again.expect("this position was set up before");
        self.show_board()?;
        Ok(Next::Move)
    }

    fn resign(&mut self) -> io::Result<Next> {
        if self.engine.session().ending().is_some() {
            say("the game is over already\n")?;
            return Ok(Next::Ask);
        }
        let loser = self.engine.session().side_to_move();
        let result = if loser == Color::White { "0-1" } else { "1-0" };
        say(&format!("{result}: {loser} resigns. Thank you for the game.\n"))?;
        Ok(Next::Quit)
    }
}

/// Reads a line; `false` at the end of the input. Bytes that are no text are replaced.
fn read_line(line: &mut String) -> io::Result<bool> {
    let mut bytes = Vec::new();
    let count = stdin().lock().read_until(b'\n', &mut bytes)?;
    line.push_str(&String::from_utf8_lossy(&bytes));
    Ok(count > 0)
}

fn say(text: &str) -> io::Result<()> {
    let mut out = stdout().lock();
    out.write_all(text.as_bytes())?;
    out.flush()
}

/// The game's notation, and the squares where that is something else.
fn both_forms(m: &LegalMove) -> String {
    if m.notation == m.text { m.text.clone() } else { format!("{} {}", m.notation, m.text) }
}

fn verdict(report: &Option<Report>) -> String {
    match report {
        None => "forced".into(),
        Some(report) => match report.score {
            Score::Mate(moves) if moves > 0 => format!("wins in {moves}"),
            Score::Mate(moves) => format!("loses in {}", -moves),
            Score::Centipawns(score) => {
                format!("{:+.2} at depth {}", f64::from(score) / 100.0, report.depth)
            }
        },
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
    const SCREEN: usize = 78;
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
