//! The threads that have games played.

use std::collections::HashMap;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::mpsc::Sender;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

use super::openings::Openings;
use super::player::{EngineSpec, Player};
use super::referee::{self, Cause, House, Played};
use super::schedule::{Next, Schedule, Ticket};

/// What the threads of a match share.
pub struct Tournament {
    pub house: House,
    pub engines: Vec<EngineSpec>,
    pub openings: Openings,
    schedule: Mutex<Schedule>,
    /// A game was entered: there may be another to play.
    entered: Condvar,
}

impl Tournament {
    pub fn new(house: House, engines: Vec<EngineSpec>, openings: Openings, schedule: Schedule) -> Self {
        Tournament { house, engines, openings, schedule: Mutex::new(schedule), entered: Condvar::new() }
    }

    /// The schedule, for a moment.
    pub fn schedule(&self) -> MutexGuard<'_, Schedule> {
        self.schedule.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Wakes the workers that wait for the schedule to change.
    pub fn announce(&self) {
        self.entered.notify_all();
    }

    /// Is the match to end at once?
    pub fn is_stopped(&self) -> bool {
        self.house.hall.stop.load(Relaxed)
    }

    /// Ends the match at once, for all threads.
    pub fn stop(&self) {
        self.house.hall.stop.store(true, Relaxed);
        self.announce();
    }

    /// The numbers of the players of White and Black.
    pub fn seats(&self, ticket: Ticket) -> [usize; 2] {
        let [first, second] = self.schedule().pairings()[ticket.pairing];
        if ticket.leg == 0 { [first, second] } else { [second, first] }
    }

    /// Plays one game after another, until there is none left or the match is stopped.
    pub fn work(&self, results: &Sender<(Ticket, Played)>) {
        let mut players: HashMap<usize, Player> = HashMap::new();
        while let Some(ticket) = self.next_game() {
            let seats = self.seats(ticket);
            // Engines of other pairings would only hold memory.
            for (_, idle) in players.extract_if(|number, _| !seats.contains(number)) {
                idle.quit();
            }
            let [mut white, mut black] = seats.map(|number| {
                let new = || Player::new(self.house.hall.clone(), self.engines[number].clone());
                players.remove(&number).unwrap_or_else(new)
            });
            let opening = self.openings.get(self.openings.number(ticket.round, ticket.attempt));
            let played = referee::play(&self.house, opening, [&mut white, &mut black]);
            players.extend([(seats[0], white), (seats[1], black)]);
            if played.cause == Cause::Interruption || results.send((ticket, played)).is_err() {
                break;
            }
        }
        if !self.is_stopped() {
            for player in players.into_values() {
                player.quit();
            }
        }
    }

    /// Waits for a game to play.
    fn next_game(&self) -> Option<Ticket> {
        let mut schedule = self.schedule();
        loop {
            if self.is_stopped() {
                return None;
            }
            match schedule.next() {
                Next::Play(ticket) => return Some(ticket),
                Next::Finished => return None,
                Next::Wait => {
                    schedule = self.entered.wait(schedule).unwrap_or_else(PoisonError::into_inner);
                }
            }
        }
    }
}
