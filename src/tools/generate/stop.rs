//! The switch that ends the games, in the middle of a search too.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};

use crate::search::Control;

/// Shared by all games and whoever may stop them.
#[derive(Default)]
pub struct Stop {
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    stopped: bool,
    /// The switchboards of the searches under way, and of some that have ended.
    searches: Vec<Weak<Control>>,
}

impl Stop {
    /// The switchboard of a search that starts now; `None` where it is not to start any more.
    pub fn begin_search(&self) -> Option<Arc<Control>> {
        let control = Arc::new(Control::new(false));
        let mut state = self.state();
        // Under one lock with `stop`, so that no search slips through.
        if state.stopped {
            return None;
        }
        state.searches.retain(|search| search.strong_count() > 0);
        state.searches.push(Arc::downgrade(&control));
        Some(control)
    }

    /// Ends the searches under way and lets none begin. Was that so already?
    pub fn stop(&self) -> bool {
        let mut state = self.state();
        state.searches.drain(..).filter_map(|search| search.upgrade()).for_each(|control| control.stop());
        std::mem::replace(&mut state.stopped, true)
    }

    pub fn is_stopped(&self) -> bool {
        self.state().stopped
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn searches_under_way_end_and_none_begins() {
        let stop = Stop::default();
        let searches = [stop.begin_search().unwrap(), stop.begin_search().unwrap()];
        drop(stop.begin_search());
        assert!(!stop.is_stopped() && searches.iter().all(|search| !search.stopped()));
        assert!(!stop.stop());
        assert!(stop.is_stopped() && searches.iter().all(|search| search.stopped()));
        assert!(stop.begin_search().is_none());
        assert!(stop.stop());
    }

    #[test]
    fn ended_searches_are_forgotten() {
        let stop = Stop::default();
        (0..100).for_each(|_| drop(stop.begin_search()));
        assert_eq!(stop.state().searches.len(), 1);
    }
}
