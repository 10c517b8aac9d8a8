//! Reads files of positions into what the fit needs.

use std::fs::File;
use std::io::BufReader;
use std::path::Path;

use anyhow::{Context, ensure};
use rayon::prelude::*;

use super::checkpoint::DataFile;
use super::samples::Samples;
use crate::game::Fitted;
use crate::records::positions::{PositionsOfGame, Reader};

/// Games that are read before all threads take their positions apart.
const GAMES_AT_ONCE: usize = 1024;

/// Positions to fit to, and positions held out. Whole games are held out: positions of one game are too
/// much alike to judge what was learnt from the others.
#[derive(Default)]
pub struct Data {
    pub training: Samples,
    pub held_out: Samples,
    pub files: Vec<DataFile>,
}

impl Data {
    /// Adds the positions of a file. `lot` draws the share `held_out` of the games.
    ///
    /// # Errors
    /// Where the file cannot be read or is of another game; names the line that is damaged.
    pub fn read<P: Fitted>(
        &mut self,
        path: &Path,
        held_out: f32,
        lot: &mut fastrand::Rng,
    ) -> anyhow::Result<()> {
        self.read_file::<P>(path, held_out, lot).with_context(|| path.display().to_string())
    }

    fn read_file<P: Fitted>(
        &mut self,
        path: &Path,
        held_out: f32,
        lot: &mut fastrand::Rng,
    ) -> anyhow::Result<()> {
        let (header, mut reader) = Reader::new(BufReader::new(File::open(path)?))?;
        let variant = header.get("variant").unwrap_or("nothing");
        ensure!(variant == P::VARIANT, "positions of {variant}, not of {}", P::VARIANT);
        let before = self.training.len() + self.held_out.len();
        loop {
            let mut games = Vec::new();
            while games.len() < GAMES_AT_ONCE
                && let Some(game) = reader.next_game()?
            {
                games.push(game);
            }
            if games.is_empty() {
                break;
            }
            let parts: Vec<Samples> = games.par_iter().map(take_apart::<P>).collect::<Result<_, _>>()?;
            for part in parts {
                let side = if lot.f32() < held_out { &mut self.held_out } else { &mut self.training };
                side.append(&part);
            }
        }
        if reader.has_half_a_game() {
            eprintln!("alfonso: {}: half a game at the end does not count", path.display());
        }
        let positions = (self.training.len() + self.held_out.len() - before) as u64;
        self.files.push(DataFile {
            header: header.to_string().trim_end().to_owned(),
            games: reader.games(),
            positions,
        });
        Ok(())
    }
}

fn take_apart<P: Fitted>((first_line, game): &(usize, PositionsOfGame)) -> anyhow::Result<Samples> {
    let mut samples = Samples::default();
    for (index, recorded) in game.positions.iter().enumerate() {
        let position = P::from_fen(&recorded.fen, P::Rules::default())
            .with_context(|| format!("line {}", first_line + index))?;
        samples.push(&position.features(), game.result.points(), recorded.score);
    }
    Ok(samples)
}
