//! `alfonso gui`: XBoard (WinBoard on Windows) with this program in it.

use std::env;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, bail, ensure};

use super::variant_parser;
use crate::engine::Variant;

/// Arguments of `alfonso gui`.
#[derive(clap::Args)]
pub struct Arguments {
    /// The game
    #[arg(long, default_value = Variant::DEFAULT.name(), value_parser = variant_parser())]
    variant: Variant,
    /// The command of another engine: the two play a match while you look on
    #[arg(long, value_name = "COMMAND")]
    opponent: Option<String>,
    /// Games of the match
    #[arg(long, default_value_t = 2, requires = "opponent")]
    games: u32,
    /// Show the command line, in place of starting it
    #[arg(long)]
    print: bool,
    /// Options of XBoard's own, which come last and so prevail
    #[arg(last = true, value_name = "OPTIONS")]
    more: Vec<String>,
}

/// The graphical program, and what to do where it is missing.
#[cfg(not(windows))]
mod program {
    pub const NAME: &str = "xboard";
    /// Debian keeps games out of the path of some users.
    pub const ALSO_AT: &[&str] = &["/usr/games/xboard", "/usr/local/games/xboard"];
    pub const MISSING: &str = "XBoard is not installed; it is the package 'xboard', on Debian and Ubuntu: \
                               apt-get install xboard; on Fedora: dnf install xboard";
}

#[cfg(windows)]
mod program {
    pub const NAME: &str = "winboard.exe";
    pub const ALSO_AT: &[&str] = &[r"C:\WinBoard\winboard.exe", r"C:\WinBoard-4.9.1\WinBoard\winboard.exe"];
    pub const MISSING: &str = "WinBoard is not in the path; its installer is at hgm.nubati.net";
}

/// XBoard cuts an engine's command at this length, in bytes, without a word.
pub const LONGEST_COMMAND: usize = 511;

/// Starts the graphical program and waits for its end.
///
/// # Errors
/// Where it is not installed (the error names the package), does not start, or ends badly.
pub fn run(arguments: Arguments) -> anyhow::Result<()> {
    let options = options(&own_command()?, &arguments)?;
    if arguments.print {
        let words = options.iter().map(|word| shown(word)).collect::<Vec<String>>();
        return super::print(&format!("{} {}\n", program::NAME, words.join(" ")));
    }
    let path = find(program::NAME, program::ALSO_AT).context(program::MISSING)?;
    let status = Command::new(&path)
        .args(options)
        .status()
        .with_context(|| format!("{} does not start", path.display()))?;
    if !status.success() {
        bail!("{} ended with {status}", path.display());
    }
    Ok(())
}

/// The options that suit the game.
fn options(own: &str, arguments: &Arguments) -> anyhow::Result<Vec<String>> {
    let mut options: Vec<String> = [
        "-fcp",
        own,
        "-variant",
        arguments.variant.name(),
        // These options are for this game; those that the user has saved are to stay as they are.
        "-saveSettingsOnExit",
        "false",
        "-testLegality",
        "true",
        "-showTargetSquares",
        "true",
        "-highlightDragging",
        "true",
        "-showCoords",
        "true",
    ]
    .map(String::from)
    .into();
    if let Some(opponent) = &arguments.opponent {
        ensure!(
            opponent.len() <= LONGEST_COMMAND,
            "the opponent's command is longer than XBoard takes ({LONGEST_COMMAND} bytes)"
        );
        let games = arguments.games.to_string();
        // Mates and claims judged, draws by our rules.
        options.extend(
            [
                "-scp",
                opponent,
                "-matchGames",
                &games,
                "-testClaims",
                "true",
                "-checkMates",
                "true",
                "-repeatsToDraw",
                "3",
                "-ruleMoves",
                "50",
            ]
            .map(String::from),
        );
    }
    options.extend(arguments.more.iter().cloned());
    Ok(options)
}

/// The command that starts this program, as XBoard reads it: words at spaces, quotes around a word.
///
/// # Errors
/// Where the program's own path is not known, or XBoard could not read it.
pub fn own_command() -> anyhow::Result<String> {
    let path = env::current_exe().context("the path of this program is not known")?;
    let path = path.to_str().context("the path of this program is no Unicode text")?;
    ensure!(
        path.len() + "\"\" xboard".len() <= LONGEST_COMMAND,
        "the path of this program is longer than XBoard takes ({LONGEST_COMMAND} bytes): {path}"
    );
    Ok(if path.contains(' ') { format!("\"{path}\"") } else { path.into() })
}

/// The first of these files that exists: `name` in a folder of the search path, then the others.
fn find(name: &str, others: &[&str]) -> Option<PathBuf> {
    let path = env::var_os("PATH").unwrap_or_default();
    let in_path = env::split_paths(&path).map(|folder| folder.join(name));
    in_path.chain(others.iter().map(PathBuf::from)).find(|file| Path::is_file(file))
}

/// A word as a shell would want it.
fn shown(word: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_./:=+\\".contains(c);
    if !word.is_empty() && word.chars().all(plain) {
        word.into()
    } else {
        format!("'{}'", word.replace('\'', r"'\''"))
    }
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;

    #[derive(Parser)]
    struct CommandLine {
        #[command(flatten)]
        arguments: Arguments,
    }

    fn options_of(line: &[&str]) -> anyhow::Result<Vec<String>> {
        options("/opt/alfonso", &CommandLine::parse_from([&["gui"], line].concat()).arguments)
    }

    #[test]
    fn the_options_follow_the_arguments() {
        let alone = options_of(&["--variant", "spanish-draughts", "--", "-tc", "1"]).unwrap();
        assert!(
            alone.starts_with(&["-fcp", "/opt/alfonso", "-variant", "spanish-draughts"].map(String::from))
        );
        assert!(alone.ends_with(&["-tc", "1"].map(String::from)) && !alone.contains(&"-scp".into()));
        let both = options_of(&["--opponent", "shamax", "--games", "4"]).unwrap();
        assert!(both.windows(2).any(|pair| pair == ["-scp", "shamax"]));
        assert!(both.windows(2).any(|pair| pair == ["-matchGames", "4"]));
        assert!(options_of(&["--opponent", &"x".repeat(LONGEST_COMMAND + 1)]).is_err());
    }

    #[test]
    fn programs_are_looked_for() {
        assert_eq!(find("no-such-program", &["/no/such/file"]), None);
        let own = env::current_exe().unwrap();
        assert_eq!(find("no-such-program", &["/no/such/file", own.to_str().unwrap()]), Some(own));
    }

    #[test]
    fn words_are_quoted_where_they_must() {
        let words = ["-fcp", "\"/a b\"", "", "it's"].map(shown);
        assert_eq!(words, ["-fcp", "'\"/a b\"'", "''", r"'it'\''s'"]);
    }
}
