"""Drives the engine through python-chess, as programs written with it would.

    python uci_chess_engine.py PATH_OF_THE_ENGINE

The library does the handshake and the options. Its own boards and moves end at h8, so positions, searches and the
options that it keeps for itself (UCI_Variant and others) go as raw lines, through its own queue of commands.
"""

import asyncio
import sys

import chess.engine


class RawLines(chess.engine.BaseCommand):
    """Sends lines, and gives the engine's lines up to the first that begins with a given word."""

    def __init__(self, protocol, lines, last):
        super().__init__(protocol)
        self.protocol = protocol
        self.lines, self.last, self.answer = lines, last, []

    def start(self):
        for line in self.lines:
            self.protocol.send_line(line)

    def line_received(self, line):
        self.answer.append(line)
        if line.startswith(self.last):
            self.result.set_result(self.answer)
            self.set_finished()


def ask(engine, *lines, last="readyok"):
    if last == "readyok":
        lines += ("isready",)
    command = engine.protocol.communicate(lambda protocol: RawLines(protocol, lines, last))
    return asyncio.run_coroutine_threadsafe(command, engine.protocol.loop).result(timeout=120)


def check(condition, what, *details):
    print(("ok    " if condition else "WRONG ") + what)
    if not condition:
        raise SystemExit(f"{what}: {details}")


def best_move(lines):
    return lines[-1].split()[1]


def main(path):
    engine = chess.engine.SimpleEngine.popen_uci(path, timeout=60)
    try:
        check(engine.id["name"].startswith("alfonso "), "the handshake tells the name", engine.id)
        expected = {
            "Hash": "spin",
            "Threads": "spin",
            "MultiPV": "spin",
            "Ponder": "check",
            "Move Overhead": "spin",
            "UCI_Variant": "combo",
            "UCI_AnalyseMode": "check",
            "UCI_ShowWDL": "check",
            "Clear Hash": "button",
            "Move Rule": "spin",
            "Draughts Draws": "combo",
            "EndgamePath": "string",
            "Log File": "string",
        }
        offered = {name: option.type for name, option in engine.options.items()}
        check(offered == expected, "every option is understood", offered)
        variants = engine.options["UCI_Variant"].var
        check(variants == ["grande-acedrex", "spanish-draughts"], "both games are offered", variants)

        engine.configure({"Hash": 8, "Threads": 2, "Move Overhead": 50, "Move Rule": 40, "Draughts Draws": "federation"})
        engine.configure({"UCI_ShowWDL": True, "Clear Hash": None, "Threads": 1})
        engine.ping()
        check(True, "options are set and the engine is ready")
        try:
            engine.configure({"Hash": 1 << 30})
            check(False, "a value out of range is refused by the library")
        except chess.engine.EngineError:
            check(True, "a value out of range is refused by the library")

        answer = ask(engine, "position startpos moves a4a5", "go depth 2 searchmoves c12f10 l9l8", last="bestmove")
        check(best_move(answer) in ("c12f10", "l9l8"), "Grande Acedrex: a move of the 12x12 board", answer)
        check(all(" wdl " in line for line in answer[:-1]), "the chances are shown, as configured", answer)
        mated = "position fen k11/4L7/1C10/L11/K11/12/12/12/12/12/12/12 b - - 0 1"
        answer = ask(engine, mated, "go depth 2", last="bestmove")
        check(best_move(answer) == "(none)", "Grande Acedrex: mated, no move", answer)

        ask(engine, "setoption name UCI_Variant value spanish-draughts", "ucinewgame")
        answer = ask(engine, "position startpos moves d3e4", "go depth 5", last="bestmove")
        check(best_move(answer)[:2] in ("a6", "c6", "e6", "g6"), "Spanish draughts: a reply by Black", answer)
        answer = ask(engine, "position fen W:W10:B14", "go depth 3", last="bestmove")
        check("score mate 1" in answer[-2], "Spanish draughts: the last man is taken", answer)

        engine.ping()
        check(True, "ready to the end")
    finally:
        engine.quit()
    check(engine.protocol.returncode.result() == 0, "quit ends the program in good order")


if __name__ == "__main__":
    main(sys.argv[1])
