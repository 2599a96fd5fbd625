"""Tries to reach the host over every kind of socket."""

import socket
from typing import Any


def act(turn: Any) -> str:
    host = turn.options
    ways = {
        "TCP": (socket.AF_INET, socket.SOCK_STREAM, ("127.0.0.1", host["port"])),
        "TCP over IPv6": (socket.AF_INET6, socket.SOCK_STREAM, ("::1", host["port"])),
        "UDP": (socket.AF_INET, socket.SOCK_DGRAM, ("127.0.0.1", host["port"])),
        "an abstract Unix socket": (socket.AF_UNIX, socket.SOCK_STREAM, "\0" + host["socket"]),
        "a Unix socket in a folder": (socket.AF_UNIX, socket.SOCK_STREAM, host["socket"]),
    }
    got = []
    for name, (family, kind, address) in ways.items():
        try:
            with socket.socket(family, kind) as sock:
                sock.settimeout(1)
                sock.connect(address)
                sock.send(b"x")
                got.append(f"connected by {name}")
        except OSError:
            pass
    return "; ".join(got) or "nothing"
