//! The command line.

use std::io::{Write, stderr};
use std::process::ExitCode;

use alfonso::logging;
use alfonso::protocols::{self, Protocol};
use alfonso::tools::{bench, generate, gui, openings, perft, play, register, tables, tournament, tune};
use clap::{Parser, Subcommand};

/// An engine for Grande Acedrex, the 12x12 great chess of King Alfonso's book of games (1283), and
/// for Spanish draughts.
///
/// Without a command it speaks on stdin and stdout with a program that shows the board: XBoard's
/// protocol where the first line is `xboard`, else UCI.
#[derive(Parser)]
#[command(version, max_term_width = 100)]
struct Arguments {
    #[command(subcommand)]
    command: Option<Command>,
}

#[derive(Subcommand)]
enum Command {
    /// Play a game against the engine in the terminal
    Play(play::Arguments),
    /// Play, or look on at a match, in XBoard (on Windows WinBoard)
    Gui(gui::Arguments),
    /// Print what makes XBoard and WinBoard know this program
    Register(register::Arguments),
    /// Speak UCI, whatever the first line says
    Uci {
        /// Lines to obey in place of stdin, for example: "position startpos" "go depth 8"
        commands: Vec<String>,
    },
    /// Speak XBoard's protocol (CECP), whatever the first line says
    Xboard {
        /// Lines to obey in place of stdin, for example: "st 5" "usermove d4d5"
        commands: Vec<String>,
    },
    /// Count the lines of DEPTH legal moves from a position
    Perft(perft::Arguments),
    /// Search a fixed list of positions of both games; the node counts tell versions apart
    Bench(bench::Arguments),
    /// Let engines play each other: two, a round robin or a gauntlet
    Match(Box<tournament::Arguments>),
    /// Make opening lines for matches
    Openings(openings::Arguments),
    /// Let the engine play itself and write down positions with the results of their games
    Generate(generate::Arguments),
    /// Fit the weights of an evaluation to such positions
    Tune(tune::Arguments),
    /// Make endgame tables of Spanish draughts, prove them, tell what is in them
    Tables(tables::Arguments),
}

fn main() -> ExitCode {
    logging::init();
    let result = match Arguments::parse().command {
        None => protocols::run(Protocol::ByFirstLine, Vec::new()),
        Some(Command::Uci { commands }) => protocols::run(Protocol::Uci, commands),
        Some(Command::Xboard { commands }) => protocols::run(Protocol::XBoard, commands),
        Some(Command::Play(arguments)) => play::run(arguments),
        Some(Command::Gui(arguments)) => gui::run(arguments),
        Some(Command::Register(arguments)) => register::run(&arguments),
        Some(Command::Perft(arguments)) => perft::run(arguments),
        Some(Command::Bench(arguments)) => bench::run(arguments),
        Some(Command::Match(arguments)) => tournament::run(*arguments),
        Some(Command::Openings(arguments)) => openings::run(arguments),
        Some(Command::Generate(arguments)) => generate::run(arguments),
        Some(Command::Tune(arguments)) => tune::run(arguments),
        Some(Command::Tables(arguments)) => tables::run(arguments),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) if is_closed_output(&error) => ExitCode::SUCCESS,
        Err(error) => {
            // Where stderr is full too the code alone tells.
            let _ = writeln!(stderr(), "alfonso: {error:#}");
            ExitCode::FAILURE
        }
    }
}

/// Nobody reads on (`alfonso … | head`): no reason to complain.
fn is_closed_output(error: &anyhow::Error) -> bool {
    error.downcast_ref::<std::io::Error>().is_some_and(|error| error.kind() == std::io::ErrorKind::BrokenPipe)
}
