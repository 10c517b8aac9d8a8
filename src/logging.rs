//! The log: through the `log` crate to stderr, or to a file chosen while the engine runs.
//!
//! `RUST_LOG` sets what goes to stderr, as usual (warnings by default). The dialogue with the GUI is
//! logged under the target [`WIRE`], and goes to the log file only.

use std::fs::{File, OpenOptions};
use std::io::{self, Write};
use std::path::Path;
use std::sync::{Mutex, MutexGuard, PoisonError};

use log::LevelFilter;

/// The target of everything that goes in and out.
pub const WIRE: &str = "wire";

static FILE: Mutex<Option<File>> = Mutex::new(None);

fn file() -> MutexGuard<'static, Option<File>> {
    FILE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Sets logging up; once, at the start of the program.
pub fn init() {
    env_logger::Builder::from_env(env_logger::Env::default().default_filter_or("warn"))
        .filter_module(WIRE, LevelFilter::Info)
        .format(|buffer, record| {
            let now = jiff::Zoned::now().strftime("%Y-%m-%d %H:%M:%S%.3f");
            let wire = record.target() == WIRE;
            if let Some(file) = file().as_mut() {
                // A full disk must not end the game.
                let _ = match wire {
                    true => writeln!(file, "{now} {}", record.args()),
                    false => writeln!(file, "{now} [{}] {}", record.level(), record.args()),
                };
            }
            if wire {
                Ok(())
            } else {
                writeln!(buffer, "[{now} {} {}] {}", record.level(), record.target(), record.args())
            }
        })
        .init();
}

/// Opens a log file. Opening a pipe would wait for its reader, and the dialogue with it.
fn open(path: &Path) -> io::Result<File> {
    if path.exists() && !path.is_file() {
        return Err(io::Error::new(io::ErrorKind::InvalidInput, "this is not an ordinary file"));
    }
    OpenOptions::new().create(true).append(true).open(path)
}

/// Appends the log to the file at `path` from now on, or no longer to any.
///
/// # Errors
/// Where the file cannot be opened; then the old one stays.
pub fn log_to(path: Option<&Path>) -> io::Result<()> {
    let new = path.map(open).transpose()?;
    *file() = new;
    Ok(())
}
