# ruff: noqa: E501 - a table of programs, one a row
"""Hostile bots that look for a way out: each `attack()` returns what it got, which must be nothing.

A capital word between at-signs stands for a canary that the harness has put on the host.
"""

PROBES: dict[str, str] = {}


def _probe(name: str, source: str) -> None:
    PROBES[name] = source + (
        "\ndone = False\n"
        "def act(turn):\n"
        "    global done\n"
        "    if not done and (got := attack()):\n"
        "        raise RuntimeError(f'got {got}')\n"
        "    done = True\n"
        "    return turn.legal[0]\n"
    )


_TRY = """
import ctypes, errno, os
libc = ctypes.CDLL(None, use_errno=True)
libc.syscall.restype = ctypes.c_long
def sys(nr, *args):
    result = libc.syscall(nr, *[ctypes.c_long(a) if isinstance(a, int) else a for a in args])
    return result if result >= 0 else -ctypes.get_errno()
def tries(**ways):
    got = []
    for name, way in ways.items():
        try:
            way()
            got.append(name)
        except (OSError, ValueError, RuntimeError, AttributeError):
            pass
    return got
"""

_probe("reads files of the host", """
import os
def attack():
    got = []
    for path in ("/etc/passwd", "/etc/shadow", "/etc/hostname", "/root", "/home", "/proc/self/maps", "/proc/1/environ",
                 "/sys", "/dev/null", "/dev/shm", "/usr/bin", "/var", "@CANARY@", "@OTHER@", "/tmp", "..", "/../etc/passwd"):
        try:
            got.append((path, os.listdir(path) if os.path.isdir(path) else open(path, "rb").read(9)))
        except OSError:
            pass
    return [g for g in got if g[0] != ".."]
""")  # fmt: skip
_probe("looks for other bots' sources", """
import os
def attack():
    found = []
    for folder, _, names in os.walk("/"):
        for name in names:
            try:
                with open(os.path.join(folder, name), "rb") as file:
                    if b"@MARK" + b"ER@" in file.read(4096):
                        found.append(os.path.join(folder, name))
            except OSError:
                pass
    return found
""")  # fmt: skip
_probe("sees arena's own code", """
import importlib, os
def attack():
    got = []
    for name in ("arena.jail", "arena.store", "arena.match", "arena.players", "arena.cli", "support"):
        try:
            importlib.import_module(name)
            got.append(name)
        except (ImportError, PermissionError):
            pass
    inside = set(os.listdir("/packages/arena")) if os.path.isdir("/packages") else set()  # on weaker tiers not there
    return got + sorted(inside - {"__init__.py", "errors.py", "options.py", "seeds.py", "model", "games", "bot"})
""")  # fmt: skip
_probe("writes anywhere", _TRY + """
def attack():
    got = []
    for folder, names, files in os.walk("/"):
        got += tries(**{folder: lambda: os.open(folder + "/x", os.O_CREAT | os.O_WRONLY),
                        folder + " dir": lambda: os.mkdir(folder + "/y"),
                        folder + " tmpfile": lambda: os.open(folder, os.O_TMPFILE | os.O_RDWR),
                        folder + " mode": lambda: os.chmod(folder, 0o777)})
        if files:
            path = os.path.join(folder, files[0])
            got += tries(**{path: lambda: os.open(path, os.O_WRONLY), path + " gone": lambda: os.unlink(path)})
    return got + tries(source=lambda: open(__file__, "ab"), stdlib=lambda: open(os.__file__, "ab"),
                       canary=lambda: open("@CANARY@", "ab"), memory=lambda: os.memfd_create("x"))
""")  # fmt: skip
_probe("reaches the network", """
import socket
def attack():
    got = []
    ways = ((socket.AF_INET, socket.SOCK_STREAM, ("127.0.0.1", @TCP@)), (socket.AF_INET, socket.SOCK_DGRAM,
            ("127.0.0.1", @TCP@)), (socket.AF_UNIX, socket.SOCK_STREAM, "\\0@ABSTRACT@"),
            (socket.AF_UNIX, socket.SOCK_STREAM, "@SOCKET@"), (socket.AF_NETLINK, socket.SOCK_RAW, (0, 0)),
            (socket.AF_INET6, socket.SOCK_STREAM, ("::1", @TCP@)), (socket.AF_PACKET, socket.SOCK_RAW, ("lo", 0)),
            (40, socket.SOCK_STREAM, (2, 1)))
    for family, kind, address in ways:
        try:
            s = socket.socket(family, kind)
            got.append((family, kind))
            s.connect(address)
            got.append("connected")
        except OSError:
            pass
    try:
        got.append(socket.socketpair())
    except OSError:
        pass
    return got
""")  # fmt: skip
_probe("makes processes and threads", _TRY + """
import subprocess, threading
def attack():
    got = tries(fork=os.fork, vfork=lambda: subprocess.Popen(["/python/bin/python3"]),
                thread=lambda: threading.Thread(target=print).start(), spawn=lambda: os.posix_spawn("/bin/sh", ["sh"], {}))
    for name, nr, args in (("fork", 57, ()), ("vfork", 58, ()), ("clone", 56, (17, 0, 0, 0, 0)), ("clone3", 435, (0, 0)),
                           ("clone arm", 220, (17, 0, 0, 0, 0)), ("fork as libc", 56, (0x1200011, 0, 0, 0, 0)),
                           ("thread", 56, (0x3D0F00, 0, 0, 0, 0))):
        if (result := sys(nr, *args)) >= 0:
            got.append((name, result))
    return got
""")  # fmt: skip
_probe("runs another program", _TRY + """
import sys as python
def attack():
    got = tries(sh=lambda: os.execv("/bin/sh", ["sh"]), python=lambda: os.execv(python.executable, ["python", "-V"]),
                loader=lambda: os.execv("/lib64/ld-linux-x86-64.so.2", ["ld"]))
    return got + [nr for nr in (59, 322) if sys(nr, b"/python/bin/python3", None, None) >= 0]
""")  # fmt: skip
_probe(
    "exhausts descriptors",
    """
import os
def attack():
    held = []
    try:
        while len(held) < 5000:
            held.append(os.dup(0))
    except OSError:
        pass
    for fd in held:
        os.close(fd)
    return len(held) if len(held) > 64 else 0
""",
)
_probe("signals others", _TRY + """
def attack():
    got = []
    for pid in (-1, 0, 1, 2, os.getppid(), @VICTIM@, @RUNNER@, *range(2, 300)):
        if pid not in (0,) and sys(62, pid, 0) == 0:
            got.append(pid)
        if sys(234, pid, pid, 0) == 0 and pid != os.getpid():
            got.append(("tgkill", pid))
        if pid > 1 and (sys(434, pid, 0) >= 0 or sys(424, pid, 0, 0, 0) >= 0):
            got.append(("pidfd", pid))
    return got
""")  # fmt: skip
_probe("traces others", _TRY + """
def attack():
    buffer = ctypes.create_string_buffer(64)
    got = []
    for pid in (1, os.getppid(), @VICTIM@, @RUNNER@):
        for request in (16, 0x4206, 1, 2):
            if sys(101, request, pid, 0, buffer) >= 0:
                got.append(("ptrace", pid, request))
        for nr in (310, 311):
            if sys(nr, pid, buffer, 1, buffer, 1, 0) >= 0:
                got.append((nr, pid))
    return got + [("pidfd_getfd", fd) for fd in range(8) if sys(438, fd, 0, 0) >= 0]
""")  # fmt: skip
_probe(
    "finds descriptors left open",
    """
import os, stat
def attack():
    extra = []
    for fd in range(5, 4096):
        try:
            os.fstat(fd)
            extra.append(fd)
        except OSError:
            pass
    kinds = [stat.S_IFMT(os.fstat(fd).st_mode) for fd in range(5)]
    fine = [stat.S_IFCHR, stat.S_IFREG, stat.S_IFREG, stat.S_IFIFO, stat.S_IFIFO]
    return extra or (kinds != fine and kinds)
""",
)
_probe(
    "reads the environment",
    """
import os, sys
def attack():
    got = [name for name in os.environ if name not in ("PYTHONHASHSEED", "LC_CTYPE")]
    return got + [word for word in sys.orig_argv if "@HOUSE@" in word or "@SECRET@" in word]
""",
)
_probe(
    "finds paths and secrets of the runner in memory",
    """
import ctypes, gc, os, sys
def attack():
    marks = (b"@SECRET" + b"@", b"@HO" + b"USE@")
    got = []
    for thing in gc.get_objects() + [sys.modules, vars(sys), os.environ]:
        try:
            text = repr(thing).encode() if isinstance(thing, (dict, list, tuple)) and len(thing) < 500 else b""
        except Exception:
            continue
        got += [mark for mark in marks if mark in text and b"attack" not in text]
    return got
""",
)
_probe("makes namespaces", _TRY + """
def attack():
    flags = (0x10000000, 0x20000, 0x40000000, 0x08000000, 0x04000000, 0x02000000, 0x20000000, 0x80, 0x10020000)
    got = [hex(flag) for flag in flags if sys(272, flag) >= 0]
    got += [fd for fd in range(8) if sys(308, fd, 0) >= 0]
    return got + [nr for nr in (165, 166, 155, 161, 428, 429, 430, 442) if sys(nr, b"/", b"/", 0, 0, 0) >= 0]
""")  # fmt: skip
_probe("gains rights", _TRY + """
def attack():
    data = ctypes.create_string_buffer(24)
    header = ctypes.create_string_buffer(b"\\x22\\x05\\x08\\x20\\0\\0\\0\\0", 8)
    got = tries(setuid=lambda: os.setuid(0), setgid=lambda: os.setgid(0), groups=lambda: os.setgroups([0]),
                resuid=lambda: os.setresuid(0, 0, 0))
    data.raw = b"\\xff" * 12 + b"\\0" * 12
    if sys(126, header, data) >= 0:
        got.append("capset")
    if sys(157, 38, 0, 0, 0, 0) >= 0 or sys(157, 4, 1, 0, 0, 0) >= 0 or sys(317, 1, 0, 0) >= 0:
        got.append("prctl")
    return got + [("id", os.getuid())] * (@HIDDEN_USER@ and 0 in (os.getuid(), os.getgid(), os.geteuid(), os.getegid()))
""")  # fmt: skip
_probe("makes risky system calls", _TRY + """
NAMES = dict(bpf=321, perf_event_open=298, io_uring_setup=425, userfaultfd=323, add_key=248, keyctl=250, request_key=249,
    open_by_handle_at=304, name_to_handle_at=303, kexec_load=246, init_module=175, finit_module=313, syslog=103,
    personality=135, quotactl=179, acct=163, swapon=167, reboot=169, ioperm=173, iopl=172, memfd_create=319,
    memfd_secret=447, shmget=29, shmat=30, semget=64, msgget=68, mq_open=240, fanotify_init=300, inotify_init1=294,
    eventfd2=290, signalfd4=289, timer_create=222, epoll_create1=291, pipe2=293, splice=275, vmsplice=278, tee=276,
    move_pages=279, mbind=237, set_mempolicy=238, migrate_pages=256, modify_ldt=154, kcmp=312, lookup_dcookie=212,
    process_madvise=440, landlock_create_ruleset=444, mlock=149, mlockall=151, mincore=27, sched_setattr=314,
    setpgid=109, setsid=112, sethostname=170, settimeofday=164, adjtimex=159, clock_settime=227, chroot=161, mknod=133,
    sendfile=40, copy_file_range=326, fallocate=285, truncate=76, ftruncate=77, flock=73, fsync=74, sync=162,
    socket=41, connect=42, accept=43, bind=49, listen=50, sendto=44, recvfrom=45, sendmsg=46, recvmsg=47,
    x32_getpid=0x40000000 + 39, x32_read=0x40000000)
def attack():
    good = ctypes.create_string_buffer(256)
    return [name for name, nr in NAMES.items() if sys(nr, good, 0, 0, 0, 0) not in (-1, -38)]
""")  # fmt: skip
_probe("makes newer system calls", _TRY + """
NAMES = dict(io_uring_enter=426, io_uring_register=427, execveat=322, clone3=435, openat2=437, pidfd_getfd=438, mount_setattr=442,
    quotactl_fd=443, landlock_add_rule=445, landlock_restrict_self=446, process_mrelease=448, futex_waitv=449, cachestat=451,
    fchmodat2=452, statmount=457, listmount=458, lsm_set_self_attr=460, setxattrat=463, ptrace=101, prctl=157, arch_prctl=158,
    seccomp=317, sched_setscheduler=144, sched_setaffinity=203, setpriority=141, ioprio_set=251, timerfd_create=283,
    rt_sigqueueinfo=129, rt_tgsigqueueinfo=297, vhangup=153, remap_file_pages=216, pkey_alloc=330, uselib=134, get_mempolicy=239,
    name_to_handle_at=303, unlink=87, rename=82, link=86, symlink=88, mkdir=83, chmod=90, chown=92, setxattr=188, utimes=235)
def attack():
    buffer = ctypes.create_string_buffer(256)
    return [name for name, nr in NAMES.items() if sys(nr, buffer, 0, 0, 0, 0) not in (-1, -38)]
""")  # fmt: skip
_probe("changes its pipes and its log", _TRY + """
import fcntl, mmap
def attack():
    got = []
    for fd in (1, 2, 3, 4):
        for name, what in dict(size=1031, owner=8, signal=10, lease=1024, notify=1026, seals=1033, lock=37).items():
            got += tries(**{f"{name} of {fd}": lambda: fcntl.fcntl(fd, what, 1)})
        got += tries(**{f"shrink {fd}": lambda: os.ftruncate(fd, 0), f"grow {fd}": lambda: os.posix_fallocate(fd, 0, 1 << 30),
                        f"async {fd}": lambda: fcntl.ioctl(fd, 0x5452, b"\\1\\0\\0\\0")})
    return got
""")  # fmt: skip
_probe("raises its limits", _TRY + """
import resource
def attack():
    got = []
    for name in ("AS", "CPU", "NOFILE", "FSIZE", "CORE", "NPROC", "STACK", "MEMLOCK"):
        which = getattr(resource, "RLIMIT_" + name)
        soft, hard = resource.getrlimit(which)
        if hard == -1:
            got.append(name + " has no limit")
        got += tries(**{name: lambda: resource.setrlimit(which, (soft, hard))})
    got += tries(nice=lambda: os.nice(-1), real_time=lambda: os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(1)),
                 affinity=lambda: os.sched_setaffinity(0, os.sched_getaffinity(0)))
    return got
""")  # fmt: skip
_probe("writes to the terminal", _TRY + """
import fcntl
def attack():
    got = tries(tty=lambda: os.open("/dev/tty", os.O_RDWR), console=lambda: os.open("/dev/console", os.O_RDWR))
    for fd in range(5):
        got += tries(**{f"push {fd}": lambda: fcntl.ioctl(fd, 0x5412, b"x"), f"own {fd}": lambda: fcntl.ioctl(fd, 0x540E, 1)})
    return got + [os.isatty(fd) for fd in range(5) if os.isatty(fd)]
""")  # fmt: skip
_probe(
    "reads who and where it is",
    """
import os
def attack():
    return [x for x in (os.uname().nodename, os.getcwd()) if x not in ("arena", "/")]
""",
)
_probe(
    "uses up descriptor 1",
    """
import os
def attack():
    size = 0
    try:
        while size < 1 << 20:
            size += os.write(1, b"x" * 4096)
    except OSError:
        pass
    return size > 1 << 16 and size
""",
)
_probe("leaves something for the next match", _TRY + """
import builtins, fcntl, random
def attack():
    found = [getattr(builtins, "left", None), random.__dict__.get("left"), os.environ.get("LEFT")]
    builtins.left = random.left = os.environ["LEFT"] = "here"
    if sys(29, 4242, 4096, 0o1600) >= 0 or sys(248, b"user", b"left", b"x", 1, -3) >= 0 or sys(64, 4242, 1, 0o1600) >= 0:
        found.append("kernel object")
    if os.fstat(2).st_size or os.lseek(2, 0, 1) != 1024 or fcntl.fcntl(2, fcntl.F_GETFL) & os.O_APPEND:
        found.append("log")
    print("left")
    fcntl.fcntl(2, fcntl.F_SETFL, os.O_APPEND)
    return [thing for thing in found if thing]
""")  # fmt: skip
