//! How much less deep late moves are searched.

use std::sync::LazyLock;

/// Plies by depth and by place in the order of the moves.
pub struct Reductions([[u8; Self::SIZE]; Self::SIZE]);

/// Where captures are a matter of choice, and where they are forced.
pub static REDUCTIONS: LazyLock<[Reductions; 2]> = LazyLock::new(|| [2.2, 1.9].map(Reductions::new));

impl Reductions {
    const SIZE: usize = 64;

    fn new(divisor: f64) -> Self {
        let mut table = [[0; Self::SIZE]; Self::SIZE];
        for (depth, row) in table.iter_mut().enumerate().skip(1) {
            for (tried, plies) in row.iter_mut().enumerate().skip(1) {
                *plies = (0.5 + (depth as f64).ln() * (tried as f64).ln() / divisor) as u8;
            }
        }
        Reductions(table)
    }

    /// For the move that is tried as number `tried`, from 1, at `depth`.
    pub fn plies(&self, depth: i32, tried: i32) -> i32 {
        let index = |n: i32| (n as usize).min(Self::SIZE - 1);
        self.0[index(depth)][index(tried)].into()
    }
}
