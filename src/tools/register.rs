//! `alfonso register`: what makes XBoard and WinBoard know this program.

use std::io::{self, Write, stdout};

use super::gui::own_command;
use crate::engine::Variant;

/// Arguments of `alfonso register`.
#[derive(clap::Args)]
pub struct Arguments {
    /// Print nothing but the file that XBoard looks for
    #[arg(long)]
    file: bool,
}

/// Where XBoard looks for files of engines to add to its list.
const FILE: &str = "/usr/local/share/games/plugins/xboard/alfonso.eng";

/// Prints it.
///
/// # Errors
/// Where the program's own path is not known, or the output is closed.
pub fn run(arguments: &Arguments) -> anyhow::Result<()> {
    let command = own_command()?;
    let text = if arguments.file { file(&command) } else { everything(&command) };
    stdout().write_all(text.as_bytes()).map_err(io::Error::into)
}

/// The file, in the form that engines' packages install it: a magic line, the command, the games.
fn file(command: &str) -> String {
    format!("plugin spec 0.0\n{command}\n{}\n", Variant::NAMES.join(","))
}

fn everything(command: &str) -> String {
    let lines = |engine: &str, variant: &str| {
        Variant::NAMES
            .iter()
            .map(|name| format!("\"alfonso, {name}\" {engine} {variant}{name}\n"))
            .collect::<String>()
    };
    // Within the braces of the list a command with spaces stands in quotes of the other kind.
    let quoted = format!("'{command}'");
    format!(
        "XBoard adds alfonso to its list of engines when it finds this file as\n{FILE}\n\
         ('alfonso register --file' prints the file alone):\n\n{}\n\
         Or put these lines into -firstChessProgramNames {{…}} of ~/.xboardrc, one entry for each game:\n\n{}\n\
         WinBoard: the same as lines of /firstChessProgramNames in winboard.ini:\n\n{}",
        file(command),
        lines(&format!("-fcp {quoted}"), "-variant "),
        lines(&format!("/fcp={quoted}"), "/variant="),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_game_has_its_line() {
        assert_eq!(file("/opt/alfonso"), "plugin spec 0.0\n/opt/alfonso\ngrande-acedrex,spanish-draughts\n");
        let text = everything("/opt/alfonso");
        for line in [
            "\"alfonso, grande-acedrex\" -fcp '/opt/alfonso' -variant grande-acedrex",
            "\"alfonso, spanish-draughts\" /fcp='/opt/alfonso' /variant=spanish-draughts",
        ] {
            assert!(text.lines().any(|found| found == line), "{text}");
        }
    }
}
