//! The command line of `alfonso match`.

use std::path::PathBuf;
use std::time::Duration;

use anyhow::{Context, anyhow, bail, ensure};
use clap::{Arg, ArgAction, ArgMatches, ValueEnum, value_parser};

use super::adjudication::{Adjudication, DrawRule, WinRule};
use super::control::TimeControl;
use super::journal::Places;
use super::player::{EngineSpec, Protocol};
use super::process::CommandLine;
use super::schedule::Format;
use super::sprt::Sprt;
use crate::draughts::Draws;
use crate::engine::{Options, Variant};
use crate::search::threads::MAX_THREADS;
use crate::tools::variant_parser;

/// Arguments of `alfonso match`.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Arguments {
    /// The game
    #[arg(long, default_value = Variant::DEFAULT.name(), value_parser = variant_parser())]
    pub variant: Variant,
    #[command(flatten)]
    engines: EngineWords,
    /// Words that go for every engine that does not say otherwise
    #[arg(long, num_args = 1.., value_name = "KEY=VALUE")]
    each: Vec<String>,
    /// Who plays whom
    #[arg(long, value_enum, default_value_t = Format::RoundRobin)]
    pub format: Format,
    /// Games between each two players, an even number; with --sprt the most [default: 100, with --sprt 100000]
    #[arg(long, value_parser = value_parser!(u32).range(2..=1_000_000))]
    games: Option<u32>,
    /// Games at a time
    #[arg(long, default_value_t = 1, value_parser = value_parser!(u16).range(1..=1024))]
    pub concurrency: u16,
    /// A file of opening lines: moves, or FENs [default: the built-in ones]
    #[arg(long, value_name = "FILE")]
    pub openings: Option<PathBuf>,
    /// The order of the openings
    #[arg(long, value_enum, default_value_t = Order::File)]
    pub order: Order,
    /// Decides all that is drawn by lot
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
    /// Stop once a hypothesis about the first engine's lead is believed: elo0=0 elo1=5 alpha=0.05 beta=0.05
    #[arg(long, num_args = 0.., value_name = "KEY=VALUE")]
    sprt: Option<Vec<String>>,
    /// Give a draw where both engines say so: moves=8 score=10 from=40
    #[arg(long, num_args = 0.., value_name = "KEY=VALUE")]
    draw: Option<Vec<String>>,
    /// Give a win where both engines say so: moves=4 score=1000
    #[arg(long, num_args = 0.., value_name = "KEY=VALUE")]
    win: Option<Vec<String>>,
    /// Grande Acedrex: moves by each side without capture or pawn move that make a draw; 0: never [default: 50]
    #[arg(long, value_parser = value_parser!(u16).range(0..=1000))]
    move_rule: Option<u16>,
    /// Spanish draughts: the draw rules [default: club]
    #[arg(long, value_enum)]
    draughts_draws: Option<DraughtsDraws>,
    /// Games that end by a move which the rules forbid do not count, as those where a legal move is refused
    #[arg(long)]
    pub void_illegal: bool,
    /// Milliseconds that a move may take beyond its clock
    #[arg(long, default_value_t = 100, value_parser = value_parser!(u64).range(0..=60_000))]
    margin: u64,
    /// Seconds an engine may take where no clock runs: to start, to get ready, to move by depth or nodes
    #[arg(long, default_value_t = 60, value_parser = value_parser!(u64).range(1..=86_400))]
    patience: u64,
    /// Write the games to this file as they end, PGN or PDN; a new file, but with --resume
    #[arg(long, value_name = "FILE")]
    record: Option<PathBuf>,
    /// Write the match, its games and its summary to this file, as JSON lines; a new file, but with --resume
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
    /// Go on with the match in the JSON file, and append to both files
    #[arg(long, requires = "json")]
    resume: bool,
    /// The event's name in the records
    #[arg(long, default_value = "alfonso match")]
    pub event: String,
    /// Append all that is said to and by the engines to this file
    #[arg(long, value_name = "FILE")]
    pub log: Option<PathBuf>,
}

const EXAMPLES: &str = "\
Words of an engine:
  cmd=\"PROGRAM ARGUMENT …\"  what to start; quotes keep spaces together
  name=NAME                 [default: as the engine calls itself]
  proto=uci|xboard          [default: uci]
  dir=FOLDER                where to start it
  tc=10+0.1  tc=40/60       seconds a game or for 40 moves, and for each move
  st=1  depth=8  nodes=50000  limits for each move
  threads=2                 by the option Threads, or XBoard's cores
  option.NAME=VALUE         any option, by the engine's own name

For example:
  alfonso match --engine cmd=./new --engine cmd=./old --each tc=10+0.1 --sprt elo1=10
  alfonso match --engine cmd=alfonso tc=5+0.05 --engine cmd=shamax proto=xboard tc=60 --games 20";

/// The order of openings.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Order {
    /// As in the file
    File,
    /// Shuffled, as the seed has it
    Random,
}

/// The draw rules of draughts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum DraughtsDraws {
    /// 40 moves by each side without capture or crowning
    Club,
    /// 20 moves with kings only; twelve for three kings against one
    Federation,
}

/// The words of each `--engine`, kept apart: clap's derived lists would run together.
struct EngineWords(Vec<Vec<String>>);

impl clap::Args for EngineWords {
    fn augment_args(command: clap::Command) -> clap::Command {
        command.arg(
            Arg::new("engine")
                .long("engine")
                .value_name("KEY=VALUE")
                .num_args(1..)
                .required(true)
                .action(ArgAction::Append)
                .help("An engine, at least two of them, in words as explained below"),
        )
    }

    fn augment_args_for_update(command: clap::Command) -> clap::Command {
        Self::augment_args(command)
    }
}

impl clap::FromArgMatches for EngineWords {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        let occurrences = matches.get_occurrences::<String>("engine").into_iter().flatten();
        Ok(EngineWords(occurrences.map(|words| words.cloned().collect()).collect()))
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}

impl Arguments {
    /// The engines, each with what holds for all.
    ///
    /// # Errors
    /// Names the word that is wrong.
    pub fn engines(&self) -> anyhow::Result<Vec<EngineSpec>> {
        let words = &self.engines.0;
        ensure!(words.len() >= 2, "a match takes at least two engines: --engine … --engine …");
        let common = read_engine(&self.each).context("--each")?;
        let mut engines = Vec::new();
        for (index, words) in words.iter().enumerate() {
            let spec = read_engine(words).and_then(|own| complete(own, &common));
            engines.push(spec.with_context(|| format!("--engine, number {}", index + 1))?);
        }
        Ok(engines)
    }

    /// Pairs of games between each two players.
    ///
    /// # Errors
    /// Where the games do not make pairs.
    pub fn rounds(&self) -> anyhow::Result<u32> {
        /// A test that is undecided after so many games has two hypotheses nobody needs to tell apart.
        const MOST_FOR_A_TEST: u32 = 100_000;
        const DEFAULT: u32 = 100;
        let games = self.games.unwrap_or(if self.sprt.is_some() { MOST_FOR_A_TEST } else { DEFAULT });
        ensure!(
            games.is_multiple_of(2),
            "--games {games}: each opening is played with both colours, so an even number"
        );
        Ok(games / 2)
    }

    /// # Errors
    /// Names the word that is wrong.
    pub fn sprt(&self) -> anyhow::Result<Option<Sprt>> {
        let Some(words) = &self.sprt else { return Ok(None) };
        let mut sprt = Sprt::default();
        set_all(words, |key, value| sprt.set(key, value)).context("--sprt")?;
        sprt.check().map_err(|allowed| anyhow!("--sprt: allowed: {allowed}"))?;
        Ok(Some(sprt))
    }

    /// # Errors
    /// Names the word that is wrong.
    pub fn adjudication(&self) -> anyhow::Result<Adjudication> {
        let mut adjudication = Adjudication::default();
        if let Some(words) = &self.draw {
            let rule = adjudication.draw.insert(DrawRule::default());
            set_all(words, |key, value| rule.set(key, value)).context("--draw")?;
        }
        if let Some(words) = &self.win {
            let rule = adjudication.win.insert(WinRule::default());
            set_all(words, |key, value| rule.set(key, value)).context("--win")?;
        }
        Ok(adjudication)
    }

    /// The draw rules, as options of our engine.
    ///
    /// # Errors
    /// Where a rule is of the other game.
    pub fn rules(&self) -> anyhow::Result<Options> {
        let (variant, mut rules) = (self.variant, Options::default());
        if let Some(move_rule) = self.move_rule {
            let fits = variant == Variant::GrandeAcedrex;
            ensure!(fits, "--move-rule is for grande-acedrex, and this match is of {}", variant.name());
            rules.move_rule = move_rule;
        }
        if let Some(draws) = self.draughts_draws {
            let fits = variant == Variant::SpanishDraughts;
            ensure!(
                fits,
                "--draughts-draws is for spanish-draughts, and this match is of {}",
                variant.name()
            );
            rules.draughts_draws = match draws {
                DraughtsDraws::Club => Draws::Club,
                DraughtsDraws::Federation => Draws::Federation,
            };
        }
        Ok(rules)
    }

    /// The draw rules in words.
    pub fn rules_text(&self, rules: &Options) -> String {
        match self.variant {
            Variant::GrandeAcedrex => format!("move rule {}", rules.move_rule),
            Variant::SpanishDraughts => format!("{:?} draws", rules.draughts_draws).to_lowercase(),
        }
    }

    pub fn places(&self) -> Places {
        Places { lines: self.json.clone(), games: self.record.clone(), resume: self.resume }
    }

    pub fn margin(&self) -> Duration {
        Duration::from_millis(self.margin)
    }

    pub fn patience(&self) -> Duration {
        Duration::from_secs(self.patience)
    }
}

/// Takes up `key=value` words.
fn set_all(
    words: &[String],
    mut set: impl FnMut(&str, &str) -> Result<(), &'static str>,
) -> anyhow::Result<()> {
    for word in words {
        let (key, value) = word.split_once('=').unwrap_or((word, ""));
        set(key, value).map_err(|allowed| anyhow!("'{word}'; allowed: {allowed}"))?;
    }
    Ok(())
}

/// What the words of one engine say; some may be missing.
#[derive(Default)]
struct Words {
    name: Option<String>,
    command: Option<String>,
    folder: Option<PathBuf>,
    protocol: Option<Protocol>,
    control: TimeControl,
    threads: Option<u32>,
    options: Vec<(String, String)>,
}

fn read_engine(words: &[String]) -> anyhow::Result<Words> {
    let mut read = Words::default();
    for word in words {
        let (key, value) =
            word.split_once('=').ok_or_else(|| anyhow!("'{word}'; allowed: KEY=VALUE, see --help"))?;
        if let Some(name) = key.strip_prefix("option.") {
            read.options.push((name.into(), value.into()));
            continue;
        }
        if let Some(result) = read.control.set(key, value) {
            result.map_err(|allowed| anyhow!("'{word}'; allowed: {allowed}"))?;
            continue;
        }
        match key {
            "name" => read.name = Some(value.into()),
            "cmd" => read.command = Some(value.into()),
            "dir" => read.folder = Some(value.into()),
            "proto" => {
                read.protocol = Some(match value {
                    "uci" => Protocol::Uci,
                    "xboard" => Protocol::XBoard,
                    _ => bail!("'{word}'; allowed: proto=uci or proto=xboard"),
                });
            }
            "threads" => {
                let threads = value.parse().ok().filter(|threads| (1..=MAX_THREADS as u32).contains(threads));
                read.threads =
                    Some(threads.ok_or_else(|| anyhow!("'{word}'; allowed: threads=1 to {MAX_THREADS}"))?);
            }
            _ => bail!(
                "'{word}'; allowed: cmd, name, proto, dir, tc, st, depth, nodes, threads, option.NAME, each with =VALUE"
            ),
        }
    }
    Ok(read)
}

/// An engine's own words, filled up with those of all.
fn complete(own: Words, common: &Words) -> anyhow::Result<EngineSpec> {
    let text = own.command.as_ref().or(common.command.as_ref()).context("cmd=PROGRAM is missing")?;
    let mut words = split_command(text)?.into_iter();
    let program = words.next().context("cmd= names no program")?;
    let control = own.control.or(common.control);
    ensure!(!control.is_empty(), "there is no limit to its thinking: tc, st, depth or nodes");
    let mut options = common.options.clone();
    options.extend(own.options);
    Ok(EngineSpec {
        name: own.name.or(common.name.clone()).unwrap_or_default(),
        command: CommandLine {
            program,
            arguments: words.collect(),
            folder: own.folder.or(common.folder.clone()),
        },
        protocol: own.protocol.or(common.protocol).unwrap_or_default(),
        control,
        threads: own.threads.or(common.threads),
        options,
    })
}

/// Words of a command line; double quotes keep spaces together. Backslashes are what they are on
/// Windows: letters of a path.
fn split_command(text: &str) -> anyhow::Result<Vec<String>> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut quoted = false;
    for c in text.chars() {
        match c {
            '"' => {
                quoted = !quoted;
                word.get_or_insert_default();
            }
            c if c.is_whitespace() && !quoted => words.extend(word.take()),
            c => word.get_or_insert_default().push(c),
        }
    }
    ensure!(!quoted, "a quote is not closed in {text}");
    words.extend(word);
    Ok(words)
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::Parser;

    #[derive(Parser)]
    struct Program {
        #[command(flatten)]
        arguments: Arguments,
    }

    fn read(line: &str) -> Arguments {
        Program::parse_from(std::iter::once("match").chain(line.split(' '))).arguments
    }

    #[test]
    fn engines_and_what_holds_for_each() {
        let arguments = read(
            "--engine cmd=a name=A tc=1+0.1 option.Hash=8 --engine cmd=b nodes=100 proto=xboard threads=2 --each tc=9 threads=1",
        );
        let [a, b] = &arguments.engines().unwrap()[..] else { panic!() };
        assert_eq!((a.name.as_str(), a.control.to_string().as_str()), ("A", "tc=1+0.1"));
        assert_eq!((a.threads, b.threads), (Some(1), Some(2)));
        assert_eq!(a.options, [("Hash".to_owned(), "8".to_owned())]);
        assert_eq!(b.control.to_string(), "nodes=100");
        assert_eq!(b.protocol, Protocol::XBoard);
    }

    #[test]
    fn wrong_words_are_named() {
        for (line, part) in [
            ("--engine cmd=a tc=1", "at least two"),
            ("--engine cmd=a tc=1 --engine cmd=b", "number 2"),
            ("--engine cmd=a --engine name=b --each tc=1", "cmd="),
            ("--engine cmd=a tc=x --engine cmd=b --each tc=1", "'tc=x'"),
            ("--engine cmd=a depht=3 --engine cmd=b --each tc=1", "'depht=3'"),
            ("--engine cmd=a proto=ucci --engine cmd=b --each tc=1", "'proto=ucci'"),
            ("--engine cmd=a threads=0 --engine cmd=b --each tc=1", "threads=1 to 256"),
        ] {
            let error = format!("{:#}", read(line).engines().unwrap_err());
            assert!(error.contains(part), "{line}: {error}");
        }
        let engines = "--engine cmd=a --engine cmd=b --each tc=1";
        assert!(read(&format!("{engines} --games 3")).rounds().is_err());
        assert_eq!(read(&format!("{engines} --games 20")).rounds().unwrap(), 10);
        assert!(read(&format!("{engines} --sprt elo0=5 elo1=1")).sprt().is_err());
        assert_eq!(read(&format!("{engines} --sprt elo1=9")).sprt().unwrap().unwrap().elo1, 9.0);
        assert_eq!(read(engines).adjudication().unwrap(), Adjudication::default());
        let rules = read(&format!("{engines} --draw moves=3 --win")).adjudication().unwrap();
        assert_eq!(rules.draw, Some(DrawRule { moves: 3, ..DrawRule::default() }));
        assert_eq!(rules.win, Some(WinRule::default()));
    }

    #[test]
    fn commands_are_split_at_spaces() {
        let split = |text| split_command(text).unwrap();
        assert_eq!(split(r"C:\engines\a.exe  uci"), [r"C:\engines\a.exe", "uci"]);
        assert_eq!(split(r#""/a b/c" x"y z" """#), ["/a b/c", "xy z", ""]);
        assert!(split_command("\"open").is_err());
    }
}
