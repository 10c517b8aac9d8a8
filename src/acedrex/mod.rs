//! Grande Acedrex.
