//! Where a fit writes, looked at before it begins: hours of work must not end at a name mistyped.

use std::fs::{self, File};
use std::io::{BufRead, BufReader, ErrorKind};
use std::path::{Path, PathBuf};

use anyhow::{Context, ensure};

use super::checkpoint::part_of;

/// The files of a fit.
pub struct Places<'a> {
    pub data: &'a [PathBuf],
    pub out: Option<&'a Path>,
    pub checkpoint: Option<&'a Path>,
}

impl Places<'_> {
    /// Makes sure that files can be written where they shall be, and that nothing is lost by it.
    /// `weights` is the file of the weights in force: what it looks like may be written over.
    ///
    /// # Errors
    /// Where a file of positions is given twice or would be written over, the weights and the checkpoint
    /// have one place, something else than weights stands in theirs, or a folder cannot be written to.
    pub fn check(&self, weights: &[u8]) -> anyhow::Result<()> {
        let data: Vec<PathBuf> = self.data.iter().map(|path| place(path)).collect();
        for (index, path) in data.iter().enumerate() {
            let name = self.data[index].display();
            ensure!(
                !data[..index].contains(path),
                "{name}: given twice in --data; its games would count twice"
            );
        }
        for (option, path) in [("--out", self.out), ("--checkpoint", self.checkpoint)] {
            let Some(path) = path else { continue };
            let name = path.display();
            let is_data = data.contains(&place(path));
            ensure!(!is_data, "{option} {name}: it is one of --data and would be written over");
            try_writing(path).with_context(|| format!("{option} {name}"))?;
        }
        if let Some(out) = self.out {
            let name = out.display();
            let is_checkpoint = self.checkpoint.is_some_and(|path| place(path) == place(out));
            ensure!(!is_checkpoint, "--out {name}: it is the checkpoint, too; each needs a file of its own");
            let replaceable = is_replaceable(out, weights).with_context(|| format!("--out {name}"))?;
            ensure!(
                replaceable,
                "--out {name}: it holds something else than the weights of this game's evaluation; another name keeps it"
            );
        }
        Ok(())
    }
}

/// The file that a path leads to, by a name that two paths to it share, whether it is there or not.
fn place(path: &Path) -> PathBuf {
    let in_its_folder = || Some(fs::canonicalize(folder_of(path)).ok()?.join(path.file_name()?));
    fs::canonicalize(path).ok().or_else(in_its_folder).unwrap_or_else(|| path.to_owned())
}

fn folder_of(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// Writes what [`super::checkpoint::write_whole`] would write first, and takes it away again.
fn try_writing(path: &Path) -> anyhow::Result<()> {
    ensure!(path.is_file() || !path.exists(), "not a file");
    let folder = folder_of(path);
    ensure!(folder.is_dir(), "there is no folder {}", folder.display());
    let part = part_of(path);
    match File::create_new(&part) {
        Ok(_) => Ok(fs::remove_file(&part)?),
        // A kill has left it.
        Err(error) if error.kind() == ErrorKind::AlreadyExists => Ok(()),
        Err(error) => Err(error.into()),
    }
}

/// Is there no file, an empty one, or one that begins with the same line as `weights`?
fn is_replaceable(path: &Path, weights: &[u8]) -> anyhow::Result<bool> {
    let file = match File::open(path) {
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(true),
        file => file?,
    };
    let mut line = Vec::new();
    BufReader::new(file).read_until(b'\n', &mut line)?;
    let first_line = weights.split_inclusive(|&byte| byte == b'\n').next().unwrap_or_default();
    Ok(line.is_empty() || line.trim_ascii_end() == first_line.trim_ascii_end())
}

#[cfg(test)]
mod tests {
    use super::*;

    const WEIGHTS: &[u8] = b"//! The weights.\n1 2 3\n";

    #[test]
    fn what_would_be_lost_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        fs::create_dir(path("folder")).unwrap();
        for (name, text) in [
            ("games", "positions 1\n"),
            ("weights", "//! The weights.\n1 2 3\n"),
            ("diary", "Dear"),
            ("empty", ""),
        ] {
            fs::write(path(name), text).unwrap();
        }
        let check = |data: &[&str], out: &str, checkpoint: &str| {
            let data: Vec<PathBuf> = data.iter().map(|name| path(name)).collect();
            let [out, checkpoint] = [out, checkpoint].map(|name| (!name.is_empty()).then(|| path(name)));
            let places = Places { data: &data, out: out.as_deref(), checkpoint: checkpoint.as_deref() };
            places.check(WEIGHTS).map_err(|error| format!("{error:#}"))
        };
        for (out, checkpoint) in [("", ""), ("new", "other"), ("weights", ""), ("empty", "diary")] {
            assert_eq!(check(&["games", "more"], out, checkpoint), Ok(()), "{out} {checkpoint}");
        }
        let twice = ["games", "more", "folder/../games"];
        for (data, out, checkpoint, message) in [
            (&["more", "games"][..], "games", "", "one of --data"),
            (&["games"], "folder/../games", "", "one of --data"),
            (&["games"], "", "games", "one of --data"),
            (&twice, "", "", "given twice"),
            (&["games"], "both", "both", "it is the checkpoint, too"),
            (&["games"], "both", "folder/../both", "it is the checkpoint, too"),
            (&["games"], "diary", "", "something else than the weights"),
            (&["games"], "folder", "", "not a file"),
            (&["games"], "nowhere/weights", "", "there is no folder"),
            (&["games"], "", "nowhere/fit", "there is no folder"),
        ] {
            let refused = check(data, out, checkpoint).unwrap_err();
            assert!(refused.contains(message), "{refused}");
        }
        assert_eq!(fs::read_to_string(path("games")).unwrap(), "positions 1\n");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 5, "nothing else is left there");
    }
}
