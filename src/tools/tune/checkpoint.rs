//! What a fit needs to go on after an interruption, on file.

use std::ffi::OsString;
use std::fs::{self, File};
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, ensure};
use serde::{Deserialize, Serialize};

use super::fit::{Plan, State};
use super::samples::Weights;

/// All that decides how a fit goes. It goes on only under the same.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Setup {
    pub plan: Plan,
    /// Share of the games held out.
    pub validation: f32,
    /// Share of the results in what is fitted to.
    pub lambda: f32,
    pub data: Vec<DataFile>,
    /// The weights before.
    pub start: Weights,
}

/// A file that was read.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct DataFile {
    /// Its first line.
    pub header: String,
    pub games: u64,
    pub positions: u64,
}

/// What stands in the file.
#[derive(Serialize, Deserialize)]
pub struct Checkpoint {
    setup: Setup,
    state: State,
}

impl Checkpoint {
    /// Reads a checkpoint; `None` where there is no file.
    ///
    /// # Errors
    /// Where the file cannot be read or is something else.
    pub fn read(path: &Path) -> anyhow::Result<Option<Self>> {
        let text = match fs::read(path) {
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
            text => text.with_context(|| path.display().to_string())?,
        };
        let checkpoint = serde_json::from_slice(&text);
        checkpoint.with_context(|| format!("{}: not a checkpoint of a fit", path.display()))
    }

    /// Where the fit stood, to go on with it.
    ///
    /// # Errors
    /// Where it is another fit than that of `setup`: says what differs.
    pub fn go_on(self, setup: &Setup) -> anyhow::Result<State> {
        let before = self.setup;
        ensure!(before.data == setup.data, "it is of a fit to other data");
        ensure!(before.start == setup.start, "it is of a fit that started from other weights");
        let mut differences = Vec::new();
        for ((name, before), (_, now)) in before.numbers().into_iter().zip(setup.numbers()) {
            if before != now {
                differences.push(format!("{name} was {before} and is {now} now"));
            }
        }
        if before.plan.kept != setup.plan.kept {
            differences.push("--keep keeps others now".to_owned());
        }
        ensure!(differences.is_empty(), "it is of a fit with other arguments: {}", differences.join(", "));
        ensure!(self.state.is_sound(setup.start.len()), "it is damaged: its numbers are not those of a fit");
        Ok(self.state)
    }
}

impl Setup {
    /// The numbers of the command line, by their names there.
    fn numbers(&self) -> [(&'static str, String); 6] {
        let Plan { seed, rate, batch, l2, .. } = &self.plan;
        [
            ("--seed", seed.to_string()),
            ("--rate", rate.to_string()),
            ("--batch", batch.to_string()),
            ("--l2", l2.to_string()),
            ("--validation", self.validation.to_string()),
            ("--lambda", self.lambda.to_string()),
        ]
    }
}

/// Writes where the fit stands, whole or not at all.
///
/// # Errors
/// Where the file cannot be written.
pub fn save(path: &Path, setup: &Setup, state: &State) -> anyhow::Result<()> {
    let checkpoint = Checkpoint { setup: setup.clone(), state: state.clone() };
    write_whole(path, &serde_json::to_string(&checkpoint)?)
}

/// Writes a file whole or not at all: beside its place first.
///
/// # Errors
/// Where that cannot be done.
pub fn write_whole(path: &Path, content: impl AsRef<[u8]>) -> anyhow::Result<()> {
    // A link stays one.
    let path = &fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    let name = part_of(path);
    let write = || {
        let mut file = File::create(&name)?;
        file.write_all(content.as_ref())?;
        file.sync_all()?;
        fs::rename(&name, path)
    };
    write().with_context(|| path.display().to_string())
}

/// The name under which a file is written before it takes its place.
pub fn part_of(path: &Path) -> PathBuf {
    let mut name = OsString::from(path);
    name.push(".part");
    name.into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_checkpoint_is_exact_and_of_one_fit() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("checkpoint");
        let setup = Setup {
            plan: Plan { seed: 1, rate: 1.0, batch: 10, l2: 1e-7, kept: vec![2] },
            validation: 0.1,
            lambda: 1.0,
            data: vec![DataFile { header: "positions 1".into(), games: 3, positions: 9 }],
            start: vec![[1.0, 2.0]; 100],
        };
        let mut random = fastrand::Rng::with_seed(1);
        let mut weights =
            || (0..100).map(|_| [random.f32() * 1e-9, random.f32() * 300.0]).collect::<Weights>();
        let state = State {
            epoch: 3,
            step: 77,
            weights: weights(),
            mean: weights(),
            square: weights(),
            rate: 0.1,
            stale: 1,
            best: weights(),
            best_loss: 2.0_f64.sqrt() / 3.0,
        };
        assert!(Checkpoint::read(&path).unwrap().is_none());
        save(&path, &setup, &state).unwrap();
        let read = || Checkpoint::read(&path).unwrap().unwrap();
        assert_eq!(read().go_on(&setup).unwrap(), state);
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1, "nothing else is left there");
        for (other, message) in [
            (Setup { data: vec![], ..setup.clone() }, "to other data"),
            (Setup { start: vec![[1.0, 3.0]; 100], ..setup.clone() }, "from other weights"),
            (Setup { lambda: 0.5, ..setup.clone() }, "with other arguments: --lambda was 1 and is 0.5 now"),
            (
                Setup { plan: Plan { seed: 2, kept: vec![], ..setup.plan.clone() }, ..setup.clone() },
                "--seed was 1 and is 2 now, --keep keeps others now",
            ),
        ] {
            let error = format!("{:#}", read().go_on(&other).unwrap_err());
            assert!(error.ends_with(message), "{error}");
        }
        save(&path, &setup, &State { mean: vec![], ..state }).unwrap();
        assert!(read().go_on(&setup).unwrap_err().to_string().starts_with("it is damaged"));
        fs::write(&path, "Dear diary").unwrap();
        let error = format!("{:#}", Checkpoint::read(&path).err().unwrap());
        assert!(error.contains("checkpoint: not a checkpoint of a fit"), "{error}");
        assert_eq!(fs::read_to_string(&path).unwrap(), "Dear diary");
    }
}
