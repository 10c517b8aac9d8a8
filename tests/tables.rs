//! Endgame tables of Spanish draughts: against a plain solver, against what is known of three kings against one, on
//! file, and in play.

mod common;

use std::collections::HashMap;
use std::fs;
use std::path::Path;
use std::time::Duration;

use alfonso::draughts::rules::FORZOSA_PLIES;
use alfonso::draughts::squares::Squares;
use alfonso::draughts::tables::{Value, store};
use alfonso::draughts::{Draws, Position, Rules};
use alfonso::game::{Color, Game, Known, MoveList, Position as _};
use alfonso::search::score::{Score, is_decided, is_mate};
use alfonso::search::{Control, Limits, Settings, Table, Threads, search};
use assert_cmd::Command;
use common::{ALFONSO, Dialogue};
use tempfile::tempdir;

fn position(fen: &str) -> Position {
    Position::from_fen(fen, Rules::default()).unwrap_or_else(|error| panic!("{fen}: {error}"))
}

// --- Against a plain solver -----------------------------------------------------------------

/// The men of White and of Black, the kings of White and of Black, and whether Black is to move.
type Setting = ([u32; 4], bool);

fn setting(position: &Position) -> Setting {
    let sets = [
        position.men(Color::White),
        position.men(Color::Black),
        position.kings(Color::White),
        position.kings(Color::Black),
    ];
    (sets.map(|set| set.0), position.side_to_move() == Color::Black)
}

fn set_up((sets, black): Setting) -> Position {
    let numbers = |set: u32, king: &str| {
        (0..32).filter(|bit| set >> bit & 1 != 0).map(|bit| format!("{king}{}", bit + 1)).collect::<Vec<_>>()
    };
    let [white, black_pieces] =
        [0, 1].map(|side| [numbers(sets[side], ""), numbers(sets[side + 2], "K")].concat().join(","));
    position(&format!("{}:W{white}:B{black_pieces}", if black { 'B' } else { 'W' }))
}

/// Every position in which each square of the board holds nothing or a piece, `pieces` in all, some of each
/// side; `allowed` may leave kinds of pieces out.
fn settings(pieces: u32, allowed: [bool; 4]) -> Vec<Setting> {
    fn place(square: u32, left: u32, sets: [u32; 4], allowed: [bool; 4], found: &mut Vec<[u32; 4]>) {
        if left == 0 {
            found.push(sets);
        } else if square < 32 {
            place(square + 1, left, sets, allowed, found);
            for kind in 0..4 {
                let at_its_end = (kind == 0 && square >= 28) || (kind == 1 && square < 4);
                if allowed[kind] && !at_its_end {
                    let mut sets = sets;
                    sets[kind] |= 1 << square;
                    place(square + 1, left - 1, sets, allowed, found);
                }
            }
        }
    }
    let mut found = Vec::new();
    place(0, pieces, [0; 4], allowed, &mut found);
    found.retain(|sets| sets[0] | sets[2] != 0 && sets[1] | sets[3] != 0);
    found.into_iter().flat_map(|sets| [(sets, false), (sets, true)]).collect()
}

/// What a plain solver finds: won (or lost) and in how many plies; `None` for a draw.
type Verdict = Option<(bool, u32)>;

/// Solves all `settings` by going over them again and again with the moves that the game is played with. Plies
/// are counted to the next conversion, or to the end of the game. Settings that they lead to must be among them.
fn solve_plainly(settings: &[Setting], to_conversion: bool) -> Vec<Verdict> {
    let numbers: HashMap<Setting, usize> = settings.iter().copied().zip(0..).collect();
    // Where each move leads, `None` to the end of the game; and whether it is a conversion.
    let moves: Vec<Vec<(Option<usize>, bool)>> = settings
        .iter()
        .map(|&setting_here| {
            let here = set_up(setting_here);
            let mut moves = MoveList::new();
            here.legal_moves(&mut moves);
            let lead = moves.iter().map(|&m| {
                let mut next = here;
                next.play(m);
                let number = next.ending_at_sight().is_none().then(|| numbers[&setting(&next)]);
                (number, here.is_noisy(m))
            });
            lead.collect()
        })
        .collect();
    // First who wins: again and again until nothing more is found.
    let mut won: Vec<Option<bool>> = vec![None; settings.len()];
    loop {
        let result = |&(next, _): &(Option<usize>, bool)| next.map_or(Some(false), |next| won[next]);
        let find = |moves: &Vec<_>| {
            let wins = moves.iter().any(|m| result(m) == Some(false));
            let loses = moves.iter().all(|m| result(m) == Some(true));
            if wins { Some(true) } else { loses.then_some(false) }
        };
        let found: Vec<_> = moves.iter().map(find).collect();
        if found == won {
            break;
        }
        won = found;
    }
    // Then how soon: by 0 plies, by 1, by 2.
    let mut plies: Vec<Option<u32>> = vec![None; settings.len()];
    for now in 0.. {
        let mut found = Vec::new();
        for number in (0..settings.len()).filter(|&number| won[number].is_some() && plies[number].is_none()) {
            let wins = won[number] == Some(true);
            // The winner needs a move that keeps the win.
            let useful = moves[number]
                .iter()
                .filter(|(next, _)| !wins || next.is_none_or(|next| won[next] == Some(false)));
            let mut after = useful.map(|&(next, conversion)| match next {
                _ if conversion && to_conversion => Some(1),
                None => Some(1),
                Some(next) => plies[next].map(|plies| plies + 1),
            });
            let there = if wins {
                after.any(|after| after == Some(now))
            } else {
                after.all(|after| after.is_some_and(|after| after <= now))
            };
            if there {
                found.push(number);
            }
        }
        for &number in &found {
            plies[number] = Some(now);
        }
        if found.is_empty() && now > 1 {
            break;
        }
    }
    let verdict =
        |(won, plies): (Option<bool>, Option<u32>)| Some((won?, plies.expect("every win has an end")));
    won.into_iter().zip(plies).map(verdict).collect()
}

fn as_value(verdict: Verdict) -> Value {
    match verdict {
        None => Value::DRAW,
        Some((true, plies)) => Value::win(plies),
        Some((false, plies)) => Value::loss(plies),
    }
}

#[test]
fn every_position_up_to_three_pieces_agrees_with_a_plain_solver() {
    let all: Vec<_> = (2..=3).flat_map(|pieces| settings(pieces, [true; 4])).collect();
    assert_eq!(all.len(), 2 * 199_520);
    for (setting, verdict) in all.iter().zip(solve_plainly(&all, true)) {
        let position = set_up(*setting);
        assert_eq!(store::probe(&position), Some(as_value(verdict)), "{}", position.fen());
    }
}

// --- Three kings against one ----------------------------------------------------------------

/// Who stands on the long diagonal: one of the three, the lone king.
fn on_the_river(three: Squares, lone: Squares) -> (bool, bool) {
    (three.meets(Squares::LONG_DIAGONAL), lone.meets(Squares::LONG_DIAGONAL))
}

/// White has three kings, Black one: by who stands on the long diagonal and who moves, how many positions
/// are won and how many there are.
fn count_three_against_one() -> HashMap<(bool, bool, bool), (u32, u32)> {
    let mut counts = HashMap::new();
    for setting in settings(4, [false, false, true, true]) {
        let (sets, black_moves) = setting;
        let (three, lone) = (Squares(sets[2]), Squares(sets[3]));
        if three.count() != 3 {
            continue;
        }
        let (one_of_three, lone) = on_the_river(three, lone);
        let value = store::probe(&set_up(setting)).unwrap();
        let won = if black_moves { value.is_loss() } else { value.is_win() };
        let (wins, all) = counts.entry((one_of_three, lone, black_moves)).or_default();
        *wins += u32::from(won);
        *all += 1;
    }
    counts
}

#[test]
fn three_kings_win_by_the_long_diagonal() {
    let counts = count_three_against_one();
    let to_move = |three, lone| counts[&(three, lone, false)];
    assert_eq!(to_move(true, false), (64_800, 65_376));
    assert_eq!(to_move(false, false), (42_184, 42_504));
    assert_eq!(to_move(false, true), (5_488, 16_192));
    assert_eq!(to_move(true, true), (19_768, 19_768));
    let lone_to_move = |three, lone| counts[&(three, lone, true)];
    assert_eq!(lone_to_move(true, false), (41_136, 65_376));
    assert_eq!(lone_to_move(false, false), (8_696, 42_504));
    assert_eq!(lone_to_move(false, true), (368, 16_192));
    assert_eq!(lone_to_move(true, true), (6_318, 19_768));
}

/// Plies to the end of the game, where tables count those to the next conversion.
#[test]
#[cfg_attr(debug_assertions, ignore = "many positions: release builds")]
fn the_longest_win_of_three_kings() {
    let all: Vec<_> = (2..=4).flat_map(|pieces| settings(pieces, [false, false, true, true])).collect();
    let verdicts = solve_plainly(&all, false);
    let (mut longest, mut too_long, mut first_positions) = ([0; 2], [0; 2], [0; 2]);
    for (&(sets, black_moves), verdict) in all.iter().zip(&verdicts) {
        let [_, _, three, lone] = sets.map(Squares);
        let Some((won, plies)) = *verdict else { continue };
        if three.count() == 3 && lone.count() == 1 && won != black_moves {
            let side = usize::from(black_moves);
            longest[side] = longest[side].max(plies);
            if on_the_river(three, lone) == (true, false) {
                first_positions[side] += 1;
                too_long[side] += u32::from(plies > FORZOSA_PLIES.into());
            }
        }
    }
    assert_eq!(longest, [25, 26]);
    // Where the count of the forzosa begins, the three win nearly all that they win without it.
    assert_eq!(first_positions, [64_800, 41_136]);
    assert_eq!(too_long, [60, 148]);
}

// --- What is known to the search ------------------------------------------------------------

#[test]
fn what_is_known_heeds_the_rules_of_draw() {
    let known = |fen: &str, draws| Position::from_fen(fen, Rules { draws }).unwrap().known_value();
    // 22 plies to the next conversion.
    let three = "W:WK2,K6,K9:BK3";
    let (club, federation) = (Draws::Club, Draws::Federation);
    assert_eq!(store::probe(&position(three)), Some(Value::win(22)));
    assert!(matches!(known(&format!("{three}:H58"), club), Some(Known::Win(_))));
    assert_eq!(known(&format!("{three}:H59"), club), None);
    assert!(matches!(known(&format!("{three}:H18"), federation), Some(Known::Win(_))));
    assert_eq!(known(&format!("{three}:H19"), federation), None);
    assert_eq!(known("W:WK12:BK32:H79", club), Some(Known::Draw));
    assert_eq!(known("W:W1-12:B21-32", club), None);
    // Captures are followed: nothing is left of Black.
    assert!(matches!(known("W:WK1:BK5,K28", club), Some(Known::Win(_) | Known::Draw)));
}

/// Whoever wins always has a move that lowers the steps, and whoever loses none that leaves as many.
#[test]
fn steps_fall_to_the_end() {
    let mut chance = fastrand::Rng::with_seed(1);
    let all = settings(4, [true; 4]);
    for _ in 0..3000 {
        let setting = all[chance.usize(0..all.len())];
        let here = set_up(setting);
        let mut moves = MoveList::new();
        here.legal_moves(&mut moves);
        let after = |m: &_| {
            let mut next = here;
            next.play(*m);
            next.known_value().unwrap()
        };
        let mut results = moves.iter().map(after);
        match here.known_value().unwrap() {
            Known::Win(steps) if !moves.is_empty() => {
                assert!(
                    results.any(|known| matches!(known, Known::Loss(less) if less < steps)),
                    "{}",
                    here.fen()
                );
            }
            Known::Win(_) => {}
            Known::Draw => {
                assert!(results.clone().any(|known| known == Known::Draw), "{}", here.fen());
                assert!(!results.any(|known| matches!(known, Known::Loss(_))), "{}", here.fen());
            }
            Known::Loss(steps) => {
                assert!(
                    results.all(|known| matches!(known, Known::Win(less) if less < steps)),
                    "{}",
                    here.fen()
                );
            }
        }
    }
}

/// A search of `nodes` nodes: the move, and the last score and hits that were reported.
fn think(game: &Game<Position>, nodes: u64) -> (alfonso::draughts::Move, i32, u64) {
    let (table, threads) = (Table::new(1, 0).unwrap(), Threads::new(1).unwrap());
    let settings = Settings { multi_pv: 1, move_overhead: Duration::ZERO, variety: None };
    let limits = Limits { nodes: Some(nodes), ..Limits::default() };
    let last = std::sync::Mutex::new((0, 0));
    let best = search(game, &limits, &[], settings, (&table, &threads, &Control::new(false)), &|info| {
        *last.lock().unwrap() = (info.score, info.known);
    });
    let (score, hits) = last.into_inner().unwrap();
    (best.m, score, hits)
}

/// The engine with few nodes against itself, and against one that moves by lot: what the table says comes
/// about, under both rules of draw where these give the moves.
#[test]
fn the_engine_plays_by_the_tables() {
    let mut chance = fastrand::Rng::with_seed(2);
    let all = settings(4, [true; 4]);
    let mut wins = 0;
    for round in 0..120 {
        let setting = all[chance.usize(0..all.len())];
        let draws = if round % 2 == 0 { Draws::Club } else { Draws::Federation };
        let mut game = Game::new(Position::from_fen(&set_up(setting).fen(), Rules { draws }).unwrap());
        let engine = game.position().side_to_move();
        // By lot from the beginning, or as well as can be.
        let by_lot = round % 3 == 0;
        let mut expected = game.position().known_value();
        while game.ending().is_none() {
            let here = *game.position();
            if here.side_to_move() == engine || !by_lot {
                let (m, score, hits) = think(&game, 300);
                match here.known_value() {
                    Some(Known::Win(_)) => assert!(score > 0 && is_decided(score) && hits > 0, "{score}"),
                    Some(Known::Draw) => assert!(score == 0 && hits > 0, "{score}"),
                    Some(Known::Loss(_)) => assert!(score < 0 && is_decided(score) && hits > 0, "{score}"),
                    None => {}
                }
                game.play(m);
            } else {
                let moves = game.legal_moves();
                game.play(moves[chance.usize(0..moves.len())]);
                let known = game.position().known_value();
                // A mistake is for keeps.
                if matches!(known, Some(Known::Win(_))) || expected.is_none() {
                    expected = known;
                }
            }
        }
        let winner = game.ending().unwrap().winner;
        let text = format!("{} {draws:?} {:?}", set_up(setting).fen(), game.ending());
        match (expected, by_lot) {
            (Some(Known::Win(_)), _) => {
                wins += 1;
                assert_eq!(winner, Some(engine), "{text}");
            }
            (Some(Known::Draw), false) => assert_eq!(winner, None, "{text}"),
            (Some(Known::Draw), true) => assert_ne!(winner, Some(!engine), "{text}"),
            (Some(Known::Loss(_)), false) => assert_eq!(winner, Some(!engine), "{text}"),
            _ => {}
        }
    }
    assert!(wins > 20, "{wins}");
}

#[test]
fn a_win_is_shown_as_of_the_table_until_it_is_seen_on_the_board() {
    let show = |fen: &str, nodes| think(&Game::new(position(fen)), nodes).1;
    let far = show("W:WK2,K6,K9:BK3", 1000);
    assert!(is_decided(far) && !is_mate(far));
    assert!(matches!(Score::from(far), Score::Centipawns(score) if score > 20_000));
    assert_eq!(Score::from(show("W:WK3,K4:BK25", 100_000)), Score::Mate(4));
    // Outside the tables, a way into them.
    let outside = show("W:WK1,K4,K7,K17,K18:B13", 20_000);
    assert!(is_decided(outside), "{outside}");
}

// --- On file and in the program -------------------------------------------------------------

fn tables(arguments: &[&str]) -> assert_cmd::assert::Assert {
    Command::new(ALFONSO).arg("tables").args(arguments).assert()
}

fn output(assert: &assert_cmd::assert::Assert) -> String {
    let output = assert.get_output();
    String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr)
}

fn text(path: &Path) -> &str {
    path.to_str().unwrap()
}

/// All that is in the program; debug builds look at what they can in the time.
#[test]
fn the_tables_in_the_program_are_right() {
    let pieces = if cfg!(debug_assertions) { "3" } else { "4" };
    let told = output(&tables(&["verify", "--pieces", pieces]).success());
    let positions = if cfg!(debug_assertions) { "199520" } else { "6408836" };
    assert!(told.contains(&format!("{positions} positions, all right")), "{told}");
}

#[test]
fn damaged_tables_are_made_anew_and_never_trusted() {
    let folder = tempdir().unwrap();
    let dir = folder.path();
    let build = ["build", "--pieces", "3", "--dir", text(dir)];
    assert!(output(&tables(&build).success()).contains("199520 positions made"));
    tables(&["verify", "--dir", text(dir)]).success();
    let whole: HashMap<_, _> = fs::read_dir(dir)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .map(|path| (path.clone(), fs::read(path).unwrap()))
        .collect();
    assert_eq!(whole.len(), 9);

    // One is lost, the others are damaged in one way each.
    let path = |name: &str| dir.join(format!("{name}.endgame"));
    let damage = |name: &str, how: &dyn Fn(&mut Vec<u8>)| {
        let mut bytes = whole[&path(name)].clone();
        how(&mut bytes);
        fs::write(path(name), bytes).unwrap();
    };
    fs::remove_file(path("k-k")).unwrap();
    damage("k-m", &|bytes| *bytes.last_mut().unwrap() ^= 1);
    damage("m-m", &|bytes| bytes.truncate(bytes.len() / 2));
    damage("kk-k", &|bytes| bytes.clear());
    damage("kk-m", &|bytes| bytes[16] = 99);
    damage("km-k", &|bytes| bytes[0] = b'X');
    damage("km-m", &|bytes| bytes[20] ^= 0x80);
    damage("mm-k", &|bytes| bytes.extend([0; 7]));
    fs::write(dir.join("half.partial"), "x").unwrap();

    let mut uci = Dialogue::start(&[]);
    uci.send(format!("setoption name EndgamePath value {}", text(dir)));
    uci.send("isready");
    let told = uci.until(|line| line.contains("endgame tables of draughts"));
    for name in ["k-m", "m-m", "kk-k", "kk-m", "km-k", "km-m", "mm-k"] {
        let line = told.iter().find(|line| line.contains(&format!("{name}.endgame")));
        let line = line.unwrap_or_else(|| panic!("{name} is not named: {told:?}"));
        assert!(line.starts_with("info string EndgamePath: ") && line.ends_with("; ignored"), "{line}");
    }
    // Those in the program are there all the same.
    assert!(told.last().unwrap().ends_with("6408836 positions, up to 4 pieces"), "{told:?}");
    uci.quit();

    let told = output(&tables(&["verify", "--dir", text(dir)]).failure());
    assert!(told.contains("there is no table of"), "{told}");
    assert!(
        output(&tables(&build).success()).contains("it is not used, and what is missing without it is made")
    );
    for (path, bytes) in &whole {
        assert_eq!(&fs::read(path).unwrap(), bytes, "{path:?}");
    }
}

#[test]
fn only_tables_are_packed_over() {
    let folder = tempdir().unwrap();
    let (dir, diary, packed) = (folder.path(), folder.path().join("diary"), folder.path().join("packed"));
    tables(&["build", "--pieces", "2", "--dir", text(dir)]).success();
    fs::write(&diary, "Dear diary").unwrap();
    let pack = |out: &Path| tables(&["pack", "--pieces", "2", "--dir", text(dir), "--out", text(out)]);
    assert!(output(&pack(&diary).failure()).contains("something else than endgame tables"));
    assert_eq!(fs::read(&diary).unwrap(), b"Dear diary");
    pack(&packed).success();
    pack(&packed).success();
}

#[test]
fn what_leads_to_a_missing_table_is_left_out_of_the_report() {
    let folder = tempdir().unwrap();
    let dir = folder.path();
    tables(&["build", "--pieces", "3", "--dir", text(dir)]).success();
    let report = ["report", "--dir", text(dir)];
    let of_the_program = output(&tables(&["report", "--pieces", "3"]).success());
    assert_eq!(output(&tables(&report).success()), of_the_program);

    fs::remove_file(dir.join("m-m.endgame")).unwrap();
    let told = tables(&report).success();
    let lines = |bytes: &[u8]| String::from_utf8_lossy(bytes).lines().map(str::to_owned).collect::<Vec<_>>();
    let left_out = ["km-m", "mm-m"]
        .map(|name| format!("{name} is left out: there is no table of m-m, to which it leads"));
    assert_eq!(lines(&told.get_output().stderr), left_out);
    let expected = of_the_program.lines().filter(|line| {
        !["m-m ", "km-m ", "m-km ", "mm-m ", "m-mm "].iter().any(|name| line.starts_with(name))
    });
    assert_eq!(lines(&told.get_output().stdout), expected.collect::<Vec<_>>());

    fs::remove_file(dir.join("k-k.endgame")).unwrap();
    for path in ["k-m", "kk-m", "kk-k"].map(|name| dir.join(format!("{name}.endgame"))) {
        fs::remove_file(path).unwrap();
    }
    assert!(output(&tables(&report).failure()).ends_with("nothing is left to report on\n"));
    for folder in ["/no/such/folder", text(tempdir().unwrap().path())] {
        assert!(output(&tables(&["report", "--dir", folder]).failure()).contains("there are no tables"));
    }
}

/// Killed at some moment and begun again, a build goes on; what is there then is whole and right.
#[test]
#[cfg_attr(debug_assertions, ignore = "too slow: release builds")]
fn a_killed_build_goes_on() {
    let folder = tempdir().unwrap();
    let dir = folder.path();
    let build = ["build", "--pieces", "4", "--dir", text(dir)];
    let files = || fs::read_dir(dir).unwrap().count();
    let mut child = std::process::Command::new(ALFONSO).arg("tables").args(build).spawn().unwrap();
    while files() < 14 && child.try_wait().unwrap().is_none() {
        std::thread::sleep(Duration::from_millis(1));
    }
    child.kill().unwrap();
    child.wait().unwrap();
    let told = output(&tables(&build).success());
    assert!(
        told.contains("23 balances, 6408836 positions") && !told.contains("; 6408836 positions made"),
        "{told}"
    );
    assert!(
        output(&tables(&["verify", "--dir", text(dir)]).success()).contains("6408836 positions, all right")
    );
}

/// A wrong entry with a right checksum: only the proof can see it.
#[test]
fn a_wrong_entry_is_found() {
    let folder = tempdir().unwrap();
    let dir = folder.path();
    tables(&["build", "--pieces", "2", "--dir", text(dir)]).success();
    let path = dir.join("k-k.endgame");
    let mut bytes = fs::read(&path).unwrap();
    // The table's only block becomes one byte that all its positions have: drawn.
    let start = u64::from_le_bytes(bytes[36..44].try_into().unwrap()) as usize;
    bytes.truncate(start);
    bytes.extend(8_u32.to_le_bytes());
    bytes.extend(9_u32.to_le_bytes());
    bytes.push(0);
    let sum = crc32fast::hash(&bytes[24..]);
    bytes[20..24].copy_from_slice(&sum.to_le_bytes());
    fs::write(&path, bytes).unwrap();
    let told = output(&tables(&["verify", "--dir", text(dir)]).failure());
    assert!(told.contains("k-k") && told.contains("by its moves"), "{told}");
}

#[test]
fn folders_that_are_not_there_are_reported() {
    let mut uci = Dialogue::start(&[]);
    uci.send("setoption name EndgamePath value /no/such/folder");
    let told = uci.until(|line| line.contains("endgame tables of draughts"));
    assert!(told.iter().any(|line| line.contains("/no/such/folder") && line.contains("ignored")), "{told:?}");
    uci.send("setoption name EndgamePath value <empty>");
    assert_eq!(uci.until(|line| line.contains("endgame tables of draughts")).len(), 1);
    uci.quit();

    let told = output(&tables(&["verify", "--dir", "/no/such/folder"]).failure());
    assert!(told.contains("/no/such/folder") && told.contains("there are no tables"), "{told}");
    let told = output(&tables(&["build", "--pieces", "7"]).failure());
    assert!(told.contains("2..=6"), "{told}");
    let mut xboard = Dialogue::start(&[]);
    xboard.send("xboard");
    xboard.send("option EndgamePath=/no/such/folder");
    let told = xboard.until(|line| line.contains("endgame tables of draughts"));
    assert!(told.last().unwrap().starts_with("# "), "{told:?}");
    xboard.quit();
}
