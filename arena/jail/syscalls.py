"""System calls by name: numbers for x86-64 and aarch64, and a way to make them without a compiler."""

import ctypes
import os
import platform

MACHINE = platform.machine()
AUDIT_ARCH = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}

# name: (x86-64, aarch64); None where the machine does not have the call.
_TABLE: dict[str, tuple[int | None, int | None]] = {
    "access": (21, None), "alarm": (37, None), "arch_prctl": (158, None), "brk": (12, 214),
    "capset": (126, 91), "chdir": (80, 49), "chmod": (90, None), "clock_getres": (229, 114),
    "clock_gettime": (228, 113), "clock_nanosleep": (230, 115), "clone": (56, 220), "clone3": (435, 435),
    "close": (3, 57), "close_range": (436, 436), "dup": (32, 23), "dup2": (33, None), "dup3": (292, 24),
    "epoll_create": (213, None), "epoll_create1": (291, 20), "epoll_ctl": (233, 21), "epoll_pwait": (281, 22),
    "epoll_pwait2": (441, 441), "epoll_wait": (232, None), "eventfd2": (290, 19), "execve": (59, 221),
    "exit": (60, 93), "exit_group": (231, 94), "faccessat": (269, 48), "faccessat2": (439, 439),
    "fadvise64": (221, 223), "fallocate": (285, 47), "fchdir": (81, 50), "fchmod": (91, 52),
    "fchmodat": (268, 53), "fcntl": (72, 25), "fdatasync": (75, 83), "flock": (73, 32), "fork": (57, None),
    "fstat": (5, 80), "fstatfs": (138, 44), "fsync": (74, 82), "ftruncate": (77, 46), "futex": (202, 98),
    "get_robust_list": (274, 100), "getcpu": (309, 168), "getcwd": (79, 17), "getdents64": (217, 61),
    "getegid": (108, 177), "geteuid": (107, 175), "getgid": (104, 176), "getgroups": (115, 158),
    "getitimer": (36, 102), "getpgid": (121, 155), "getpgrp": (111, None), "getpid": (39, 172),
    "getppid": (110, 173), "getpriority": (140, 141), "getrandom": (318, 278), "getresgid": (120, 150),
    "getresuid": (118, 148), "getrlimit": (97, 163), "getrusage": (98, 165), "getsid": (124, 156),
    "gettid": (186, 178), "gettimeofday": (96, 169), "getuid": (102, 174), "ioctl": (16, 29),
    "kill": (62, 129), "landlock_add_rule": (445, 445), "landlock_create_ruleset": (444, 444),
    "landlock_restrict_self": (446, 446), "link": (86, None), "linkat": (265, 37), "lseek": (8, 62),
    "lstat": (6, None), "madvise": (28, 233), "membarrier": (324, 283), "mincore": (27, 232),
    "mkdir": (83, None), "mkdirat": (258, 34), "mmap": (9, 222), "mount": (165, 40),
    "mount_setattr": (442, 442), "move_mount": (429, 429), "mprotect": (10, 226), "mremap": (25, 216),
    "msync": (26, 227), "munmap": (11, 215), "nanosleep": (35, 101), "newfstatat": (262, 79),
    "open": (2, None), "open_tree": (428, 428), "openat": (257, 56), "pause": (34, None),
    "personality": (135, 92), "pidfd_open": (434, 434), "pidfd_send_signal": (424, 424), "pipe": (22, None),
    "pipe2": (293, 59), "pivot_root": (155, 41), "poll": (7, None), "ppoll": (271, 73), "prctl": (157, 167),
    "pread64": (17, 67), "prlimit64": (302, 261), "pselect6": (270, 72), "pwrite64": (18, 68),
    "read": (0, 63), "readlink": (89, None), "readlinkat": (267, 78), "readv": (19, 65), "recvmsg": (47, 212),
    "rename": (82, None), "renameat": (264, 38), "renameat2": (316, 276), "restart_syscall": (219, 128),
    "rmdir": (84, None), "rseq": (334, 293), "rt_sigaction": (13, 134), "rt_sigpending": (127, 136),
    "rt_sigprocmask": (14, 135), "rt_sigreturn": (15, 139), "rt_sigsuspend": (130, 133),
    "rt_sigtimedwait": (128, 137), "sched_get_priority_max": (146, 125), "sched_get_priority_min": (147, 126),
    "sched_getaffinity": (204, 123), "sched_getparam": (143, 121), "sched_getscheduler": (145, 120),
    "sched_setaffinity": (203, 122), "sched_yield": (24, 124), "seccomp": (317, 277), "select": (23, None),
    "sendmsg": (46, 211), "set_robust_list": (273, 99), "set_tid_address": (218, 96),
    "sethostname": (170, 161), "setitimer": (38, 103), "setns": (308, 268), "setpgid": (109, 154),
    "setrlimit": (160, 164), "setsid": (112, 157), "sigaltstack": (131, 132), "socketpair": (53, 199),
    "stat": (4, None), "statfs": (137, 43), "statx": (332, 291), "symlink": (88, None),
    "symlinkat": (266, 36), "sysinfo": (99, 179), "tgkill": (234, 131), "time": (201, None),
    "timerfd_create": (283, 85), "timerfd_settime": (286, 86), "times": (100, 153), "tkill": (200, 130),
    "truncate": (76, 45), "umask": (95, 166), "umount2": (166, 39), "uname": (63, 160), "unlink": (87, None),
    "unlinkat": (263, 35), "unshare": (272, 97), "utimensat": (280, 88), "vfork": (58, None),
    "wait4": (61, 260), "waitid": (247, 95), "write": (1, 64), "writev": (20, 66),
}  # fmt: skip

_COLUMN = {"x86_64": 0, "aarch64": 1}.get(MACHINE)


def number(name: str) -> int | None:
    """The number of a system call here; None when this machine does not have it. KeyError: not in the
    table.
    """
    row = _TABLE[name]
    return None if _COLUMN is None else row[_COLUMN]


_libc = ctypes.CDLL(None, use_errno=True)
_libc.syscall.restype = ctypes.c_long


def call(name: str, *arguments: int | bytes | ctypes.Array[ctypes.c_char] | None) -> int:
    """Make a system call; OSError with its errno when it fails."""
    call_number = number(name)
    if call_number is None:
        raise OSError(38, f"{name}: no such system call on {MACHINE}")
    words = [ctypes.c_long(word) if isinstance(word, int) else word for word in arguments]
    result = int(_libc.syscall(ctypes.c_long(call_number), *words))
    if result < 0:
        code = ctypes.get_errno()
        raise OSError(code, f"{name}: {os.strerror(code)}")
    return result


def prctl(option: int, *arguments: int) -> int:
    """prctl(2) with its unused arguments zero; OSError when it fails."""
    return call("prctl", option, *arguments, *(0,) * (4 - len(arguments)))
