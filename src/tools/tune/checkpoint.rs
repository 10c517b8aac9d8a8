//! What a fit needs to go on after an interruption, on file.

use std::ffi::OsString;
use std::fs::{self, File};
use std::io::{ErrorKind, Write};
use std::path::Path;

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

#[derive(Serialize, Deserialize)]
struct Checkpoint {
    setup: Setup,
    state: State,
}

/// Writes where the fit stands, whole or not at all.
///
/// # Errors
/// Where the file cannot be written.
pub fn save(path: &Path, setup: &Setup, state: &State) -> anyhow::Result<()> {
    let checkpoint = Checkpoint { setup: setup.clone(), state: state.clone() };
    write_whole(path, &serde_json::to_string(&checkpoint)?)
}

/// Reads where a fit stood; `None` where there is no file.
///
/// # Errors
/// Where the file cannot be read or is of another fit: the error says what differs.
pub fn load(path: &Path, setup: &Setup) -> anyhow::Result<Option<State>> {
    let text = match fs::read_to_string(path) {
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
        text => text.with_context(|| path.display().to_string())?,
    };
    let read = || {
        let Checkpoint { setup: before, state } = serde_json::from_str(&text)?;
        ensure!(before.data == setup.data, "it is of a fit to other data");
        ensure!(before.start == setup.start, "it is of a fit that started from other weights");
        ensure!(before == *setup, "it is of a fit with other arguments");
        Ok(Some(state))
    };
    read().with_context(|| path.display().to_string())
}

/// Writes a file whole or not at all: beside its place first.
///
/// # Errors
/// Where that cannot be done.
pub fn write_whole(path: &Path, text: &str) -> anyhow::Result<()> {
    let mut name = OsString::from(path);
    name.push(".part");
    let write = || {
        let mut file = File::create(&name)?;
        file.write_all(text.as_bytes())?;
        file.sync_all()?;
        fs::rename(&name, path)
    };
    write().with_context(|| path.display().to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_checkpoint_is_exact_and_of_one_fit() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("checkpoint");
        let setup = Setup {
            plan: Plan { seed: 1, rate: 1.0, batch: 10, l2: 1e-7 },
            validation: 0.1,
            lambda: 1.0,
            data: vec![DataFile { header: "positions 1".into(), games: 3, positions: 9 }],
            start: vec![[1.0, 2.0]],
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
        assert_eq!(load(&path, &setup).unwrap(), None);
        save(&path, &setup, &state).unwrap();
        assert_eq!(load(&path, &setup).unwrap(), Some(state));
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1, "nothing else is left there");
        for (other, message) in [
            (Setup { data: vec![], ..setup.clone() }, "to other data"),
            (Setup { start: vec![[1.0, 3.0]], ..setup.clone() }, "from other weights"),
            (Setup { lambda: 0.5, ..setup.clone() }, "with other arguments"),
        ] {
            let error = format!("{:#}", load(&path, &other).unwrap_err());
            assert!(error.ends_with(message), "{error}");
        }
    }
}
