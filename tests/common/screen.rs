//! A screen that nobody sees, for programs with windows.

use std::ffi::OsStr;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// A screen of its own (Xvfb); closed when dropped.
pub struct Screen {
    server: Child,
    /// For the variable `DISPLAY`.
    pub display: String,
    /// Held by a screen that is the only one of its kind.
    _turn: Option<MutexGuard<'static, ()>>,
}

impl Screen {
    pub fn open() -> Self {
        Self::start(None)
    }

    /// A screen that waits until no other of these is open in the test program: for short clocks
    /// and for keys, which want a machine that keeps up.
    pub fn alone() -> Self {
        static TURN: Mutex<()> = Mutex::new(());
        Self::start(Some(TURN.lock().unwrap_or_else(PoisonError::into_inner)))
    }

    fn start(turn: Option<MutexGuard<'static, ()>>) -> Self {
        let mut server = Command::new("Xvfb")
            .args(["-displayfd", "1", "-screen", "0", "1000x900x24", "-nolisten", "tcp"])
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("Xvfb is installed");
        let mut number = String::new();
        BufReader::new(server.stdout.take().expect("stdout is piped"))
            .read_line(&mut number)
            .expect("Xvfb tells its display");
        Screen { server, display: format!(":{}", number.trim()), _turn: turn }
    }

    /// To start `program` on this screen, at home in `folder`, with nothing to read and nobody to read it.
    pub fn start_in(&self, folder: &Path, program: impl AsRef<OsStr>) -> Command {
        let mut command = Command::new(program);
        command.env("DISPLAY", &self.display).env("HOME", folder).current_dir(folder);
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        command
    }
}

impl Drop for Screen {
    fn drop(&mut self) {
        let _ = self.server.kill();
        let _ = self.server.wait();
    }
}

/// Where XBoard is.
pub fn xboard() -> PathBuf {
    // Debian keeps games out of the path of some users.
    let games = Path::new("/usr/games/xboard");
    if games.exists() { games.into() } else { "xboard".into() }
}
