//! Spanish draughts.
