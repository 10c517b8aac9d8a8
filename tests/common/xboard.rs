//! Dialogues in XBoard's protocol.

use super::Dialogue;

/// A program that has been greeted as XBoard does it, in the given game.
pub fn xboard(variant: &str) -> Dialogue {
    let mut xboard = Dialogue::start(&[]);
    xboard.send("xboard\nprotover 2");
    xboard.until(|line| line.ends_with("done=1"));
    xboard.send(format!("new\nrandom\nvariant {variant}\nlevel 40 5 0\neasy\nmemory 4"));
    settled(&mut xboard);
    xboard
}

pub fn acedrex() -> Dialogue {
    xboard("grande-acedrex")
}

pub fn draughts() -> Dialogue {
    xboard("spanish-draughts")
}

/// Sends lines and returns all that is said until they are obeyed.
pub fn told(xboard: &mut Dialogue, lines: &str) -> Vec<String> {
    xboard.send(lines);
    settled(xboard)
}

/// All that is said until everything sent so far is obeyed.
pub fn settled(xboard: &mut Dialogue) -> Vec<String> {
    xboard.send("ping 77");
    let mut lines = xboard.until(|line| line == "pong 77");
    lines.pop();
    lines
}

/// Sends lines, which must be answered just so.
pub fn expect(xboard: &mut Dialogue, lines: &str, answer: &[&str]) {
    assert_eq!(told(xboard, lines), answer, "to {lines}");
}
