//! The protocol of XBoard and WinBoard (CECP, version 2): [`reader`] and [`writer`] know the words,
//! this is the dialogue, with its searches in [`thinking`].
//!
//! Commands are obeyed in their order, each once those before it are done; one that comes while the
//! engine thinks about its move waits for it. Three kinds do not wait: `?` makes the engine move at once;
//! `quit`, `post`, `nopost`, `lift` and `put` touch neither game nor clocks; and what makes the answer worthless
//! (`force`, `new`, `undo`, `setboard`, … see [`Command::interrupts`]) breaks the search off, which
//! then ends without a move. So `ping` is answered after the move, as the protocol demands, and a move
//! sent too early is played, or refused, after the engine's own.
//!
//! XBoard judges games too, and a claim that it does not share loses the game for the claimant. Between
//! two programs (XBoard has said `computer`) only the loser speaks therefore.

mod clocks;
mod draughts_fen;
mod judge;
mod kills;
mod mouse;
mod reader;
mod relayed;
mod setup;
mod thinking;
mod writer;

use std::collections::VecDeque;
use std::hash::{BuildHasher, RandomState};
use std::io;

use super::Dialogue;
use super::wire::{Input, LONGEST_LINE, Wire};
use crate::engine::{Engine, LegalMove, PositionError, Session, Variant};
use crate::game::{Color, MoveError};
use clocks::Clocks;
use draughts_fen::Board;
use judge::Judge;
use kills::{Ghosts, Shown, Writing, Written};
use mouse::Mouse;
use reader::Command;
use thinking::Search;

/// The legal move of draughts that a text means as XBoard passes it on, such as `d3e4,e4f5`: by its
/// first and last square, then by the victims it names.
pub fn find_draughts_move<'a>(legal: &'a [LegalMove], text: &str) -> Option<&'a LegalMove> {
    let Written { from, to, kills } = Written::read(text)?;
    kills::find(legal, &from, &to, &kills)
}

/// A dialogue with XBoard.
pub struct XBoard {
    engine: Engine,
    /// Commands that wait for the engine to be free.
    waiting: VecDeque<Command>,
    /// The search of which something is awaited; one that was broken off is here no more.
    search: Option<Search>,
    /// The colour that the engine plays; `None` in force mode.
    plays: Option<Color>,
    clocks: Clocks,
    /// Plies played before the first position of the engine's game.
    earlier_plies: usize,
    /// What XBoard's board shows beyond ours.
    ghosts: Ghosts,
    mouse: Mouse,
    /// The move that the engine expects next.
    expected: Option<String>,
    /// Is the other player a program?
    computer: bool,
    /// Has the game been declared over, by XBoard or to it?
    over: bool,
    post: bool,
    analysing: bool,
    /// Moves that are not to be searched in this position, in coordinates.
    excluded: Vec<String>,
    /// What to think of resigning and of draws.
    judge: Judge,
    /// Has the opponent offered a draw since the engine's last move?
    offer_stands: bool,
    /// The seed of the game where the engine is to vary its play (`random`).
    variety: Option<u64>,
    /// Features that XBoard has rejected.
    refused: Vec<String>,
    /// Do the lines after a refused `edit` still come in?
    editing: bool,
    /// Has the input ended?
    ended: bool,
}

impl Dialogue for XBoard {
    fn take(&mut self, input: Input, wire: &mut Wire) -> io::Result<bool> {
        match input {
            Input::Line(line) => {
                if !self.line(&line, wire)? {
                    return Ok(false);
                }
            }
            Input::TooLong => {
                wire.say(reader::refusal(&format!("longer than {LONGEST_LINE} bytes"), "a line"))?;
            }
            Input::End => {
                self.ended = true;
                self.end_search();
            }
            Input::Event(event) => self.event(event, wire)?,
        }
        while let Some(command) = self.next_command() {
            self.obey(command, wire)?;
        }
        self.resume(wire)?;
        Ok(!self.ended || self.engine.is_busy())
    }
}

impl XBoard {
    pub fn new(engine: Engine) -> Self {
        XBoard {
            engine,
            waiting: VecDeque::new(),
            search: None,
            plays: Some(Color::Black),
            clocks: Clocks::default(),
            earlier_plies: 0,
            ghosts: Ghosts::default(),
            mouse: Mouse::default(),
            expected: None,
            computer: false,
            over: false,
            post: false,
            analysing: false,
            excluded: Vec::new(),
            judge: Judge::default(),
            offer_stands: false,
            variety: None,
            refused: Vec::new(),
            editing: false,
            ended: false,
        }
    }

    /// Obeys a line, or puts it aside until the engine is free. `false` after `quit`.
    fn line(&mut self, line: &str, wire: &mut Wire) -> io::Result<bool> {
        if self.editing && reader::is_edit_line(line) {
            self.editing = line.trim() != ".";
            return Ok(true);
        }
        self.editing = false;
        if line.trim().is_empty() {
            return Ok(true);
        }
        match reader::read(line) {
            Err(reason) => wire.say(reader::refusal(&reason, line))?,
            Ok(Command::Quit) => return Ok(false),
            Ok(Command::Nothing) => {}
            Ok(Command::Post(on)) => self.post = on,
            Ok(Command::Edit) => {
                self.editing = true;
                wire.say(reader::refusal("positions come by setboard", line))?;
            }
            Ok(command @ (Command::Lift(_) | Command::Put(_))) if self.waiting.is_empty() => {
                self.obey(command, wire)?;
            }
            Ok(Command::MoveNow) if self.is_thinking() => self.engine.stop(),
            Ok(Command::MoveNow) => wire.say(reader::refusal("the engine is not thinking", line))?,
            Ok(command) => {
                if command.interrupts() {
                    self.drop_search();
                }
                self.waiting.push_back(command);
            }
        }
        Ok(true)
    }

    /// Obeys a command whose turn it is.
    fn obey(&mut self, command: Command, wire: &mut Wire) -> io::Result<()> {
        match command {
            Command::ProtocolVersion(1) => {}
            Command::ProtocolVersion(_) => wire.say(writer::features())?,
            Command::New => self.new_game(),
            Command::Variant(name) => self.variant(&name, wire)?,
            Command::Computer => self.computer = true,
            Command::Force => (self.plays, self.over) = (None, false),
            Command::Go => self.play_for(self.engine.session().side_to_move(), wire)?,
            Command::PlayOther => self.play_for(!self.engine.session().side_to_move(), wire)?,
            Command::Move(text) => self.opponent_moves(&text, wire)?,
            Command::Lift(square) => {
                let session = self.engine.session();
                wire.say(self.mouse.lift(&square, session, shown(session, &self.ghosts)))?;
            }
            Command::Put(square) => {
                if let Some(choice) = self.mouse.put(&square, self.engine.session()) {
                    wire.say(choice)?;
                }
            }
            Command::SetBoard(fen) => self.set_board(&fen, wire)?,
            Command::Undo => self.take_back(1, "undo", wire)?,
            Command::Remove => self.take_back(2, "remove", wire)?,
            // Whatever still comes from the game just ended is to have no effect.
            Command::Result => (self.plays, self.over) = (None, !self.analysing),
            Command::Level(control) => self.clocks.set_level(control),
            Command::MoveTime(time) => self.clocks.move_time = Some(time),
            Command::Depth(depth) => self.clocks.depth = Some(depth),
            Command::OwnTime(time) => self.clocks.own = time,
            Command::OpponentTime(time) => self.clocks.opponent = time,
            Command::Ping(number) => wire.say(format!("pong {number}"))?,
            Command::SetOption { name, value } => self.set_option(&name, value.as_deref(), wire)?,
            Command::NodeRate(rate) => self.clocks.node_rate = rate,
            Command::Ponder(on) => self.set_option("Ponder", Some(&on.to_string()), wire)?,
            Command::Random => {
                self.variety = match self.variety {
                    None => Some(RandomState::new().hash_one(())),
                    Some(_) => None,
                }
            }
            Command::Settled { feature, accepted } => {
                self.refused.retain(|refused| *refused != feature);
                self.refused.extend((!accepted).then_some(feature));
            }
            Command::Draw => self.draw_is_offered(wire)?,
            Command::Analyze => (self.analysing, self.plays, self.over) = (true, None, false),
            Command::Exit if self.analysing => self.analysing = false,
            Command::Exit => wire.say(reader::refusal("there is no analysis to leave", "exit"))?,
            Command::Status if self.analysing => {
                // XBoard asks again only once it was answered.
                if !self.engine.is_busy() {
                    self.analyse(wire)?;
                }
                wire.say(writer::status(self.engine.progress().as_ref()))?;
            }
            Command::Status => {}
            Command::Exclude(text) => self.exclude(&text, true, wire)?,
            Command::Include(text) => self.exclude(&text, false, wire)?,
            Command::Hint if self.expected.is_none() => self.look_for_hint(wire)?,
            Command::Hint => self.hint(wire)?,
            Command::Book => {
                // An empty line ends the list.
                wire.say(" There is no book.")?;
                wire.say("")?;
            }
            Command::MoveNow | Command::Post(_) | Command::Edit | Command::Quit | Command::Nothing => {
                unreachable!("obeyed at once")
            }
        }
        Ok(())
    }

    // --- The game -------------------------------------------------------------------------------

    /// The start of the game that is chosen; the engine has Black.
    fn new_game(&mut self) {
        self.engine.new_game();
        self.engine.session_mut().set_position(None, &[]).expect("the start is a position");
        self.begin();
        // Analysis goes on, at the new start.
        self.plays = (!self.analysing).then_some(Color::Black);
        self.clocks.reset();
        self.computer = false;
        self.variety = None;
    }

    /// A game begins, at the position that the engine has now.
    fn begin(&mut self) {
        self.earlier_plies = 0;
        self.ghosts.begin(Vec::new());
        self.mouse = Mouse::default();
        self.position_changed();
        self.over = false;
        self.judge = Judge::default();
        self.offer_stands = false;
    }

    /// Forgets what was known of the position before.
    fn position_changed(&mut self) {
        self.expected = None;
        self.excluded.clear();
    }

    fn variant(&mut self, name: &str, wire: &mut Wire) -> io::Result<()> {
        if Variant::find(name).is_none() {
            let line = format!("variant {name}");
            let known = Variant::NAMES.join(", ");
            return wire.say(reader::refusal(&format!("unknown variant; allowed: {known}"), &line));
        }
        if let Err(error) = self.engine.set_option("UCI_Variant", Some(name)) {
            return wire.say(reader::refusal(&error.to_string(), name));
        }
        self.begin();
        wire.say(setup::lines(self.engine.session(), self.engine.options().discs))
    }

    fn set_board(&mut self, fen: &str, wire: &mut Wire) -> io::Result<()> {
        let session = self.engine.session_mut();
        // Our own FEN of draughts has no '/' and is taken as well.
        let theirs = session.variant() == Variant::SpanishDraughts && fen.contains('/');
        let ours = if theirs { draughts_fen::to_ours(fen) } else { Ok(fen.into()) };
        let placed = ours.map_err(PositionError::from).and_then(|fen| {
            let in_truth = self.ghosts.recognise(&fen).filter(|_| theirs);
            let (fen, ghosts) = in_truth.unwrap_or((fen, Vec::new()));
            session.set_position(Some(&fen), &[])?;
            Ok(ghosts)
        });
        match placed {
            Ok(ghosts) => {
                self.begin();
                self.ghosts.begin(ghosts);
                Ok(())
            }
            Err(error) => wire.say(format!("tellusererror Illegal position: {error}")),
        }
    }

    fn take_back(&mut self, plies: usize, word: &str, wire: &mut Wire) -> io::Result<()> {
        if self.engine.session().plies() < plies {
            return wire.say(reader::refusal("there are not so many moves to take back", word));
        }
        for _ in 0..plies {
            self.engine.session_mut().undo();
            self.ghosts.undone();
        }
        self.ghosts.remember(self.engine.session().fen());
        self.position_changed();
        self.over = false;
        Ok(())
    }

    fn set_option(&mut self, name: &str, value: Option<&str>, wire: &mut Wire) -> io::Result<()> {
        let variant = self.engine.options().variant;
        match self.engine.set_option(name, value) {
            Ok(()) => {
                if self.engine.options().variant != variant {
                    self.begin();
                }
                let notices = self.engine.take_notices();
                notices.iter().try_for_each(|notice| wire.say(format!("# {notice}")))
            }
            Err(error) => wire.say(reader::refusal(&error.to_string(), name)),
        }
    }

    /// Keeps a move of this position, or `all`, from being searched, or gives it back.
    fn exclude(&mut self, text: &str, exclude: bool, wire: &mut Wire) -> io::Result<()> {
        let moves = match text {
            "all" => self.engine.session().legal_moves().into_iter().map(|m| m.text).collect(),
            _ => match self.read_move(text) {
                Ok((m, _)) => vec![m.text],
                Err(reason) => return wire.say(reader::refusal(&reason, text)),
            },
        };
        self.excluded.retain(|excluded| !moves.contains(excluded));
        if exclude {
            self.excluded.extend(moves);
        }
        Ok(())
    }

    /// Tells the move that is expected.
    fn hint(&self, wire: &mut Wire) -> io::Result<()> {
        self.expected.iter().try_for_each(|text| wire.say(format!("Hint: {text}")))
    }

    // --- Moves ----------------------------------------------------------------------------------

    /// The engine plays `side` from now on.
    fn play_for(&mut self, side: Color, wire: &mut Wire) -> io::Result<()> {
        self.plays = Some(side);
        (self.over, self.analysing) = (false, false);
        self.think(wire)
    }

    /// A move that the engine did not make.
    fn opponent_moves(&mut self, text: &str, wire: &mut Wire) -> io::Result<()> {
        match self.read_move(text) {
            _ if self.over && self.computer => return Ok(()),
            _ if self.over => return wire.say(writer::illegal_move("the game is over", text)),
            Ok((m, kills)) => self.make(&m, &kills),
            Err(_) if self.computer && self.live_with(text) => {}
            // Lost for the mover by our rules, played on by its own: XBoard's verdict ends it.
            Err(_) if self.computer && self.mover_has_lost() => return Ok(()),
            Err(reason) => {
                wire.say(writer::illegal_move(&reason, text))?;
                // XBoard keeps the reason to itself; who made the move by mouse is to see it.
                return match std::mem::take(&mut self.mouse).has_moved() {
                    true => wire.say(format!("telluser {text}: {reason}.")),
                    false => Ok(()),
                };
            }
        }
        self.think(wire)
    }

    /// The legal move that a text means, with what XBoard has killed for it, or why there is none.
    fn read_move(&self, text: &str) -> Result<(LegalMove, Vec<String>), String> {
        let session = self.engine.session();
        let written = (session.variant() == Variant::SpanishDraughts).then(|| Written::read(text)).flatten();
        let (plain, kills) = match written {
            Some(Written { from, to, kills }) => {
                // XBoard passes on no more kills than it can carry; the mouse may have told more.
                let told = [&kills[..], self.mouse.victims(&from)].concat();
                if let Some(m) = kills::find(&session.legal_moves(), &from, &to, &told) {
                    return Ok((m.clone(), kills));
                }
                (from + &to, kills)
            }
            None => (text.into(), Vec::new()),
        };
        match session.read_move(&plain) {
            Ok(m) => Ok((m, kills)),
            Err(MoveError::Unreadable { .. }) => Err("that is not a move".into()),
            Err(MoveError::Illegal { why, .. }) => Err(why),
            Err(MoveError::Ambiguous { candidates, .. }) => {
                Err(format!("it may be {}", candidates.join(" or ")))
            }
        }
    }

    /// Plays a legal move.
    fn make(&mut self, m: &LegalMove, kills: &[String]) {
        let session = self.engine.session_mut();
        self.ghosts.played(session.side_to_move(), m, kills);
        session.play(&m.text).expect("it was legal a moment ago");
        self.ghosts.remember(session.fen());
        self.mouse = Mouse::default();
        self.position_changed();
    }

    /// If the text is a king's leap, legal or not, or a promotion to a piece of its own choice: the game
    /// goes on from where it leads to.
    ///
    /// Earlier positions are forgotten, which changes nothing: without the right to leap, or with a
    /// pawn less, none of them can come again.
    fn live_with(&mut self, text: &str) -> bool {
        let session = self.engine.session_mut();
        if session.variant() != Variant::GrandeAcedrex {
            return false;
        }
        let plies = session.plies() + 1;
        let after = relayed::after_leap(&session.fen(), text)
            .or_else(|| relayed::after_free_promotion(session, text))
            .filter(|fen| session.set_position(Some(fen), &[]).is_ok());
        if after.is_some() {
            let earlier_plies = self.earlier_plies + plies;
            self.begin();
            self.earlier_plies = earlier_plies;
        }
        after.is_some()
    }

    /// Has the side to move lost by our rules, or will it with any move that it is not allowed?
    fn mover_has_lost(&self) -> bool {
        let session = self.engine.session();
        let acedrex = session.variant() == Variant::GrandeAcedrex;
        session.ending_of_play().is_some()
            || (acedrex && relayed::is_bare(&session.fen(), session.side_to_move()))
    }

    // --- What the engine says -----------------------------------------------------------------------

    fn engine_moves(&mut self, text: &str, wire: &mut Wire) -> io::Result<()> {
        let session = self.engine.session();
        let m = session.read_move(text).expect("the engine plays by the rules");
        let kills = match session.variant() {
            Variant::GrandeAcedrex => Vec::new(),
            Variant::SpanishDraughts => {
                let legal = session.legal_moves();
                let shown = shown(session, &self.ghosts);
                Writing { legal: &legal, shown, relayed: self.computer }.kills(&m)
            }
        };
        let lines = match session.variant() {
            Variant::GrandeAcedrex => vec![m.text.clone()],
            Variant::SpanishDraughts => kills::write(&m, &kills),
        };
        // Before the move XBoard makes a claim of the offer if it agrees; otherwise it passes it on.
        if self.computer && self.draws_at_once(&m) {
            wire.say("offer draw")?;
        }
        self.make(&m, &kills);
        lines.iter().try_for_each(|line| wire.say(format!("move {line}")))
    }

    /// Does a legal move end the game in a draw?
    fn draws_at_once(&self, m: &LegalMove) -> bool {
        let mut next = self.engine.session().clone_box();
        next.play(&m.text).is_ok() && next.ending().is_some_and(|ending| ending.winner.is_none())
    }

    /// Says how the game ended, if it did and it is for the engine to say: a human is told
    /// everything, another program only the engine's own loss.
    fn announce_ending(&mut self, wire: &mut Wire) -> io::Result<()> {
        let (Some(plays), Some(ending)) = (self.plays, self.engine.session().ending()) else { return Ok(()) };
        if self.over || (self.computer && ending.winner != Some(!plays)) {
            return Ok(());
        }
        self.over = true;
        wire.say(writer::result(&ending))
    }
}

/// The pieces of the side not to move as XBoard shows them; none in the 12x12 game, which has no ghosts.
fn shown<'a>(session: &dyn Session, ghosts: &'a Ghosts) -> Shown<'a> {
    let enemy = !session.side_to_move();
    let pieces = match session.variant() {
        Variant::GrandeAcedrex => 0,
        Variant::SpanishDraughts => Board::of_ours(&session.fen()).count(enemy),
    };
    Shown { enemy, pieces, ghosts: ghosts.now() }
}
