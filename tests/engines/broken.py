"""A broken engine: stands between the match and a real engine, and misbehaves in one way.

    broken.py [--once MARKER] MODE SOUND PROGRAM [ARGUMENT ...]

It passes everything on until it has been asked for SOUND moves; then it misbehaves as MODE says. With
--once it does so only if no file MARKER is there, and makes one.

MODE      instead of the next move
crash     ends
hang      does nothing any more, not even read
silent    reads on and answers nothing
illegal   moves from a1 to a1
nonsense  answers what is no move
flood     writes lines without end
endless   writes one line without end
noise     the same as flood on stderr
claim     claims to have won (XBoard)
resign    resigns (XBoard)
refuse    calls the last move it was told of illegal (XBoard)
late      answers three seconds later
"""

import os
import subprocess
import sys
import threading
import time

arguments = sys.argv[1:]
marker = None
if arguments[0] == "--once":
    marker = arguments[1]
    arguments = arguments[2:]
mode, sound, program = arguments[0], int(arguments[1]), arguments[2:]

engine = subprocess.Popen(program, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1)
mute = threading.Event()


def pass_on():
    for line in engine.stdout:
        if not mute.is_set():
            print(line, end="", flush=True)


def end():
    engine.kill()
    os._exit(0)


def misbehave(last_move):
    """Gives True where the engine goes on as if nothing were wrong."""
    if marker is not None:
        if os.path.exists(marker):
            return True
        open(marker, "w").close()
    if mode == "late":
        time.sleep(3)
        return True
    if mode == "refuse":
        print("Illegal move (never seen): " + last_move, flush=True)
        return True
    answers = {
        "illegal": "bestmove a1a1",
        "nonsense": "bestmove of all possible worlds",
        "claim": "1-0 {White mates}",
        "resign": "resign",
    }
    if mode in answers:
        print(answers[mode], flush=True)
        return False
    if mode == "crash":
        print("this is the end", file=sys.stderr)
        end()
    mute.set()
    if mode == "silent":
        return False
    while mode == "hang":
        time.sleep(1)
    while mode == "flood":
        print("info string" + " blah" * 20)
    while mode == "endless":
        sys.stdout.write("blah " * 20)
    while mode == "noise":
        print("blah " * 20, file=sys.stderr)
    sys.exit("no such mode: " + mode)


threading.Thread(target=pass_on, daemon=True).start()
asked = 0
last_move = ""
for line in sys.stdin:
    word = line.split(" ")[0].strip()
    if word == "usermove":
        last_move = line.split(" ")[1].strip()
    # A refusal comes before the move is asked for.
    if word == ("ping" if mode == "refuse" and last_move else "go"):
        asked += 1
        if asked > sound and not misbehave(last_move):
            continue
    if mode == "silent" and mute.is_set():
        continue
    if word == "quit":
        end()
    try:
        engine.stdin.write(line)
    except OSError:
        end()
end()
