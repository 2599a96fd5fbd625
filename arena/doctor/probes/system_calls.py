"""Makes system calls that no bot needs, with arguments that do no harm where they are let through."""

import ctypes
import platform
from typing import Any

CALLS = {  # by name the numbers on x86-64 and aarch64
    "add_key": (248, 217), "bpf": (321, 280), "init_module": (175, 105), "io_uring_setup": (425, 425),
    "keyctl": (250, 219), "memfd_create": (319, 279), "mount": (165, 40), "open_by_handle_at": (304, 265),
    "perf_event_open": (298, 241), "pivot_root": (155, 41), "process_vm_readv": (310, 270),
    "ptrace": (101, 117), "setns": (308, 268), "socket": (41, 198), "unshare": (272, 97),
    "userfaultfd": (323, 282),
}  # fmt: skip
EPERM, ENOSYS = 1, 38


def act(turn: Any) -> str:
    call = ctypes.CDLL(None, use_errno=True).syscall
    column = 0 if platform.machine() == "x86_64" else 1
    got = []
    for name, numbers in CALLS.items():
        ctypes.set_errno(0)
        # -1 is no address, no descriptor and no process: what gets past the filter ends in another error.
        result = call(ctypes.c_long(numbers[column]), *[ctypes.c_long(-1)] * 5)
        if result >= 0 or ctypes.get_errno() not in (EPERM, ENOSYS):
            got.append(name)
    return "calls let through: " + ", ".join(got) if got else "nothing"
