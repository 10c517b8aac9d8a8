//! How XBoard is told of our games: the `setup` and `piece` lines of its engine-defined variants.
//!
//! XBoard knows neither game. `setup` names the letters of its piece slots, the size of the board, a
//! variant of its own whose side rules fit best (the *parent*) and the start; `piece` says how a
//! piece moves, in XBoard's dialect of Betza's notation. With these it checks moves, draws targets
//! and writes games; what they cannot say is left to the engine.

use crate::acedrex;
use crate::engine::{Session, Variant};

use super::draughts_fen;

/// The lines for the game of `session`, which is at its start. `discs`: men of draughts look like
/// discs; XBoard then knows no man's moves, and its legality testing must be off.
pub fn lines(session: &dyn Session, discs: bool) -> String {
    match session.variant() {
        Variant::GrandeAcedrex => {
            // Parent shatranj, because there stalemate loses and so does a bare king after one reply.
            let pieces = acedrex::XBOARD_MOVES.map(|(letter, moves)| format!("\npiece {letter}& {moves}"));
            format!("setup ({ACEDREX_SLOTS}) 12x12+0_shatranj {}{}", session.fen(), pieces.concat())
        }
        Variant::SpanishDraughts => {
            let fen = draughts_fen::from_ours(&session.fen());
            match discs {
                false => format!("setup ({DRAUGHTS_SLOTS}) 8x8+0_fairy {fen}\n{DRAUGHTS_PIECES}"),
                true => format!("setup ({DISC_SLOTS}) 8x8+0_fairy {fen}"),
            }
        }
    }
}

/// Which of XBoard's pictures stands for a letter. Some slots bring rules of their own with them
/// (Lion, Lance) and are left empty; the last of each half is the king.
const ACEDREX_SLOTS: &str =
    "P.CR................U...G.....A.L..........Kp.cr................u...g.....a.l..........k";

/// Men in the pawn's slot, so that they promote; the king of draughts (letter D for dama) in the
/// queen's; no king slot, or XBoard would look for check and for bare kings.
const DRAUGHTS_SLOTS: &str = "M...D.......m...d.......";

/// Men in the last slot of all, whose picture is a disc. They do not promote by themselves there.
const DISC_SLOTS: &str = "\
....D.......................................M.....................\
....d.......................................m.....................";

/// Each is more than the piece may do: XBoard compares only from- and to-square, and every capture
/// up to the longest must be among these. `W`, a step to the always empty squares of the other
/// colour, keeps XBoard from ever seeing a stalemate.
const DRAUGHTS_PIECES: &str = "\
piece M& fFfAfmaffssAfmaffssmaffssAfmaffssmaffssmaffssAfmaffssmaffssmaffssmaffssAfmaffssmaffssmaffssmaffssmaffssAW
piece D& BpaffBpaffmaffsspaffBpaffmaffsspaffmaffsspaffBpaffmaffsspaffmaffsspaffmaffsspaffBpaffmaffsspaffmaffsspaffmaffsspaffmaffsspaffBW";
