# ruff: noqa: E501 - a table of programs, one a row
"""Hostile bots that end badly, each with the kind of its fault and a part of the detail; and noisy ones that play."""

from typing import NamedTuple


class End(NamedTuple):
    """A bot and what must become of it; `kind` empty: it plays on."""

    source: str
    kind: str
    detail: str = ""


def _in_turn(line: str, imports: str = "") -> str:
    return f"import {imports or 'os'}\ndef act(turn):\n    {line}\n    return turn.legal[0]\n"


_OWN_LOOP = """
import json, os
def line():
    data = b""
    while not data.endswith(b"\\n"):
        data += os.read(3, 65536)
    return json.loads(data)
def say(message):
    data = json.dumps(message).encode().ljust({0}) + b"\\n"
    while data:
        data = data[os.write(4, data):]
class Bot:
    def __init__(self, setup):
        say({{"type": "ready"}})
        while (message := line())["type"] == "turn":
            say({{"id": message["id"], "action": message["legal"][0]}})
        os._exit(0)
"""
_SAY = "import os, time\nturns = 0\ndef act(turn):\n    global turns\n    turns += 1\n    os.write(4, {0})\n    time.sleep(60)\n"

ENDS: dict[str, End] = {
    "plays": End("def act(turn):\n    return turn.legal[0]\n", ""),
    "forks": End(_in_turn("while True: os.fork()"), "crash", "PermissionError: [Errno 1] Operation not permitted (line 3)"),
    "starts threads": End(_in_turn("[threading.Thread(target=print).start() for _ in range(99)]", "threading"), "crash",
                          "RuntimeError: can't start new thread (line 3)"),
    "takes memory": End("def act(turn):\n    held = []\n    while True:\n        held.append(bytearray(1 << 24))\n", "memory",
                        "MemoryError"),
    "takes memory in one piece": End(_in_turn("b'x' * (1 << 40)"), "memory", "MemoryError"),
    "maps memory": End(_in_turn("[mmap.mmap(-1, 1 << 24) for _ in range(999)]", "mmap"), "crash", "Cannot allocate memory"),
    "spins": End("def act(turn):\n    while True: pass\n", "timeout", "the move limit of 0.1 s and the bank of 0.1 s"),
    "spins in C": End(_in_turn("sum(range(10**12))"), "timeout"),
    "spins in C without letting go": End(_in_turn("re.match('(a*)*b', 'a' * 40)", "re"), "timeout"),
    "ends by a signal of its own": End(_in_turn("os.kill(os.getpid(), 15)"), "crash"),
    "leaves a child behind": End(_in_turn("os.fork() or time.sleep(60)", "os, time"), "crash"),
    "ignores signals": End("import signal, time\nfor n in range(1, 65):\n    try: signal.signal(n, signal.SIG_IGN)\n"
                           "    except (OSError, ValueError): pass\ndef act(turn): time.sleep(60)\n", "timeout"),
    "sleeps": End(_in_turn("time.sleep(60)", "time"), "timeout"),
    "stops itself": End(_in_turn("os.kill(os.getpid(), 19)"), "crash", "PermissionError"),
    "becomes a daemon": End(_in_turn("os.setsid(); os.fork()"), "crash", "PermissionError"),
    "closes all and goes on": End(_in_turn("os.closerange(0, 64); time.sleep(60)", "os, time"), "crash",
                                  "closed its pipe and went on"),
    "closes all and leaves": End(_in_turn("os.closerange(0, 64); os._exit(5)"), "crash", "exit status 5"),
    "leaves": End(_in_turn("os._exit(0)"), "crash", "exit status 0"),
    "leaves with a status": End(_in_turn("os._exit(7)"), "crash", "exit status 7"),
    "leaves politely": End(_in_turn("sys.exit('bye')", "sys"), "crash", "SystemExit: bye (line 3)"),
    "reads address 0": End(_in_turn("ctypes.string_at(0)", "ctypes"), "crash", "killed by SIGSEGV"),
    "aborts": End(_in_turn("os.abort()"), "crash", "killed by SIG"),
    "overflows the stack": End("import ctypes\nF = ctypes.CFUNCTYPE(None)\ndef deep(): f()\nf = F(deep)\n"
                               "import sys\nsys.setrecursionlimit(10**6)\ndef act(turn): f()\n", "crash"),
    "recurses": End("def act(turn): return act(turn)\n", "crash", "RecursionError: maximum recursion depth exceeded"),
    "raises": End("def act(turn):\n    x = 1\n    return {}['key']\n", "crash", "KeyError: 'key' (line 3)"),
    "raises an address": End("def act(turn):\n    raise ValueError(object())\n", "crash", "object at 0x...> (line 2)"),
    "raises lines": End("def act(turn):\n    raise ValueError('a\\nb\\x1b[31m' + 'x' * 10**6)\n", "crash", "ValueError: a b"),
    "raises a trap": End("class E(Exception):\n    def __str__(self): raise self\ndef act(turn): raise E\n", "crash"),
    "lies about its end": End(_in_turn("os.pwrite(2, b'{\"kind\":\"start\",\"detail\":1}\\n', 0); os._exit(70)"), "crash",
                              "exit status 70"),
    "returns nothing": End("def act(turn): pass\n", "illegal", "act returned None, not one of turn.legal"),
    "returns a number": End("def act(turn): return 3\n", "illegal", "act returned 3 (int), not one of turn.legal "
                            "(did you mean '3'?)"),
    "returns half a character": End("def act(turn): return '\\ud800'\n", "crash", "surrogates"),
    "writes a huge line": End(_SAY.format("b'{\"id\":1,\"action\":\"' + b'a' * (1 << 22) + b'\"}\\n'"), "protocol",
                              "a line over 65536 bytes"),
    "writes no end of line": End(_SAY.format("b'{\"id\":1,\"action\":\"7S\"}'"), "timeout"),
    "trickles": End("import os, time\ndef act(turn):\n    for c in b'{\"id\":1,\"action\":\"7S\"}\\n' * 9:\n"
                    "        os.write(4, bytes([c])); time.sleep(0.02)\n", "timeout"),
    "writes no UTF-8": End(_SAY.format("b'{\"id\":1,\"action\":\"\\xff\"}\\n'"), "protocol", "not UTF-8"),
    "writes NaN": End(_SAY.format("b'{\"id\":1,\"action\":NaN}\\n'"), "protocol", "NaN"),
    "writes infinity": End(_SAY.format("b'{\"id\":1e999,\"action\":\"7S\"}\\n'"), "protocol", "beyond all bounds"),
    "writes deep JSON": End(_SAY.format("b'[' * 30000 + b'\\n'"), "protocol", "nested deeper than 32"),
    "writes a huge number": End(_SAY.format("b'{\"id\":' + b'1' * 60000 + b'}\\n'"), "protocol", "beyond 2**53"),
    "writes a key twice": End(_SAY.format("b'{\"id\":1,\"id\":1,\"action\":\"7S\"}\\n'"), "protocol", "a key given twice"),
    "answers another request": End(_SAY.format("b'{\"id\":2,\"action\":\"7S\"}\\n'"), "protocol", "id 2, expected 1"),
    "writes text": End(_SAY.format("b'hello\\n'"), "protocol", "not JSON: hello"),
    "answers early": End("import os\ndef act(turn):\n"
                         "    os.write(4, b'{\"id\":1,\"action\":\"7S\"}\\n{\"id\":2,\"action\":\"7S\"}\\n')\n    return '7S'\n",
                         "protocol", "written before it was asked"),
    "crashes at its start": End("x = 1 / 0\n", "start", "ZeroDivisionError: division by zero (line 1)"),
    "imports what is not there": End("import json\nimport numpie\n", "start", "No module named 'numpie' (line 2)"),
    "spins at its start": End("while True: pass\n", "start", "not ready within the start limit of 0.4 s"),
    "leaves at its start": End("import os\nos._exit(0)\n", "start", "exit status 0"),
    "takes memory at its start": End("x = bytearray(1 << 40)\n", "start", "MemoryError"),
    "speaks at its start": End("import os\nos.write(4, b'hello\\n')\nimport time; time.sleep(60)\n", "start", "hello"),
    "is not Python": End("def act(turn:\n", "start", "SyntaxError: '(' was never closed (line 1)"),
    "holds a zero byte": End("x = 1\0\n", "start", "null bytes"),
    "nests beyond the compiler": End("x = " + "(" * 5000 + ")" * 5000, "start", "too many nested parentheses"),
    "nests operators beyond the compiler": End("x = " + "-" * 200_000 + "1", "start"),
    "has no bot": End("x = 1\n", "start", "neither a function act(turn) nor a class Bot"),
    "has half a bot": End("class Bot:\n    def __init__(self, setup): pass\n", "start", "class Bot has no method act"),
    "prints": End("import sys\ndef act(turn):\n    print('x' * 100_000)\n    print('y' * 100_000, file=sys.stderr)\n"
                  "    return turn.legal[0]\n", ""),
    "floods": End(_in_turn("for fd in (1, 2):\n        try:\n            for _ in range(4096): os.write(fd, b'x' * 65536)\n"
                           "        except OSError: pass"), ""),
    "speaks in lines of 64 KiB": End(_OWN_LOOP.format(65535), ""),
    "speaks in lines of 64 KiB and a byte": End(_OWN_LOOP.format(65536), "start", "a line over 65536 bytes"),
    "answers half and leaves": End(_in_turn("os.write(4, b'{\"id\":1,'); os._exit(0)"), "crash", "exit status 0"),
    "answers without an end of line and leaves": End(_in_turn("os.write(4, b'{\"id\":1,\"action\":\"7S\"}'); os._exit(3)"),
                                                     "crash", "exit status 3"),
    "mixes up its pipes": End(_in_turn("os.dup2(3, 4)"), "crash", "Bad file descriptor"),
    "dies at once": End("import ctypes\nctypes.string_at(0)\n", "start", "killed by SIGSEGV"),
    "takes memory piece by piece at its start": End("x = [bytearray(1 << 24) for _ in range(999)]\n", "start", "MemoryError"),
    "fills its memory each turn": End("def act(turn):\n    held = []\n    try:\n        while True: held.append(bytearray(1 << 24))\n"
                                      "    except MemoryError: held.clear()\n    return turn.legal[0]\n", ""),
    "nests lists in C": End(_in_turn("x = []\n    for _ in range(10**5): x = [x]\n    repr(x)"), "crash", "RecursionError"),
    "sets an alarm": End("import signal, time\nsignal.setitimer(signal.ITIMER_REAL, 0.01)\ndef act(turn): time.sleep(60)\n", "timeout"),
    "floods itself with alarms": End("import signal\nsignal.signal(signal.SIGALRM, lambda *_: None)\n"
                                     "signal.setitimer(signal.ITIMER_REAL, 1e-4, 1e-4)\ndef act(turn): return turn.legal[0]\n", ""),
    "interrupts itself": End(_in_turn("signal.raise_signal(signal.SIGINT)", "signal"), "crash", "KeyboardInterrupt"),
    "terminates itself": End(_in_turn("signal.raise_signal(signal.SIGTERM)", "signal"), ""),  # it is pid 1, which does not mind
    "forgets all modules": End(_in_turn("sys.modules.clear()", "sys"), ""),
    "replaces what runs it": End("import json, os, sys\nos.read = os.write = json.loads = json.dumps = None\n"
                                 "def act(turn): return turn.legal[0]\n", "start", "exit status 70"),
    "rewrites its caller": End("import sys\ndef act(turn):\n    frame = sys._getframe(1)\n    frame.f_locals.clear()\n"
                               "    frame.f_globals.clear()\n    return turn.legal[0]\n", ""),
    "sleeps when it is to go": End("import atexit, time\natexit.register(time.sleep, 60)\nclass Bot:\n"
                                   "    def __init__(self, setup): pass\n    def act(self, turn): return turn.legal[0]\n"
                                   "    def __del__(self): time.sleep(60)\n", ""),
    "sleeps while it crashes": End("import sys, time\nclass E(Exception):\n    def __str__(self): time.sleep(60)\n"
                                   "def act(turn): raise E\n", "timeout"),
    "asks to be collected": End("import gc\ngc.set_threshold(1)\ngc.callbacks.append(lambda *_: None)\ngc.unfreeze()\n"
                                "def act(turn): return turn.legal[gc.collect() * 0]\n", ""),
    "catches its lack of memory": End(_in_turn("try: bytearray(1 << 40)\n    except MemoryError: pass"), ""),
}  # fmt: skip
