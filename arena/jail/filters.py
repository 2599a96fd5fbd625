"""Which system calls there are in the jail.

The big allowlist is loaded once, by the fork server; each match's child adds a small filter that takes away
what only the server needs (the kernel runs a filter over every call number when it is loaded, so a small
one is quick). What is on neither list fails with EPERM, which Python turns into PermissionError.
"""

from arena.jail.bpf import ALLOW, Only, Rule, program, refuse
from arena.jail.doors import OWN_PID

EPERM, ENOSYS = refuse(1), refuse(38)

_PLAIN = """
    read write readv writev pread64 pwrite64 lseek close close_range dup dup2 dup3
    open openat fstat newfstatat stat lstat statx access faccessat faccessat2 readlink readlinkat getdents64
    getcwd chdir fchdir poll ppoll select pselect6 mmap munmap mprotect mremap madvise brk
    futex set_robust_list get_robust_list rseq set_tid_address sched_yield sched_getaffinity getcpu
    rt_sigaction rt_sigprocmask rt_sigreturn rt_sigpending rt_sigtimedwait rt_sigsuspend sigaltstack
    restart_syscall tgkill alarm setitimer getitimer pause nanosleep clock_nanosleep clock_gettime
    clock_getres gettimeofday time times getrusage getrlimit sysinfo uname getpid gettid getppid getuid
    geteuid getgid getegid getgroups getresuid getresgid getpgrp getpgid getsid umask getrandom exit
    exit_group
"""
_SERVER = "recvmsg sendmsg wait4 pidfd_open capset seccomp setrlimit"

_NEWPID = 0x20000000
_FORK = 0x01200011  # CLONE_CHILD_CLEARTID | CLONE_CHILD_SETTID | SIGCHLD: what fork(3) asks for
_FCNTL = (0, 1, 2, 3, 4, 1030)  # F_DUPFD, F_GETFD, F_SETFD, F_GETFL, F_SETFL, F_DUPFD_CLOEXEC
_IOCTL = (0x5401, 0x5413, 0x541B, 0x5421, 0x5450, 0x5451)
# TCGETS, TIOCGWINSZ, FIONREAD, FIONBIO, FIONCLEX, FIOCLEX

_ARGUMENTS: dict[str, Rule] = {
    "fcntl": Only(1, _FCNTL),
    "ioctl": Only(1, _IOCTL),
    "clone": Only(0, (_FORK,)),
    "clone3": ENOSYS,  # its flags are behind a pointer, out of a filter's sight; libc then takes clone
    "unshare": Only(0, (_NEWPID,)),
    "setns": Only(1, (_NEWPID,)),
    "prlimit64": Only(0, (0,)),  # of oneself
}


_DIES_WITH = 1  # PR_SET_PDEATHSIG
_HARMLESS = (15, 16, 21, 22, 39)  # PR_SET_NAME and questions about oneself


def python_server(namespaces: bool = True) -> bytes:
    """The fork server of a Python bot: what the child has, fork, one pid namespace each, and its one
    socket.
    """
    own: dict[str, Rule] = {} if namespaces else {"prctl": Only(0, (_DIES_WITH,)), **_NO_NAMESPACES}
    return program(dict.fromkeys((_PLAIN + _SERVER).split(), ALLOW) | _ARGUMENTS | own, EPERM)


# Among all processes of the host a child signals none but itself.
_NO_NAMESPACES: dict[str, Rule] = {"unshare": EPERM, "setns": EPERM}
_ITSELF: dict[str, Rule] = {"tgkill": Only(0, (OWN_PID,)), "kill": Only(0, (OWN_PID,)), "tkill": EPERM}

_PROGRAM = """
    pipe pipe2 eventfd2 epoll_create epoll_create1 epoll_ctl epoll_wait epoll_pwait epoll_pwait2
    timerfd_create timerfd_settime membarrier ftruncate fallocate truncate unlink unlinkat mkdir mkdirat
    rmdir rename renameat renameat2 fsync fdatasync statfs fstatfs fadvise64 msync flock fchmod fchmodat
    utimensat tkill kill getpriority sched_getparam sched_getscheduler sched_get_priority_max
    sched_get_priority_min execve arch_prctl waitid socketpair
"""
_PROGRAM_SERVER = "mount landlock_create_ruleset landlock_add_rule landlock_restrict_self"
_THREAD = 0x10000
_NEW_NAMESPACES = 0x7E020080
_NEWNS = 0x20000


def program_server(namespaces: bool = True) -> bytes:
    """The fork server of a program: what the program has, and what it takes to shut one in."""
    names = (_PLAIN + _SERVER + _PROGRAM + (_PROGRAM_SERVER if namespaces else "")).split()
    own: dict[str, Rule] = {
        "clone": Only(0, (0,), mask=_NEW_NAMESPACES),
        "unshare": Only(0, (_NEWPID, _NEWNS)),
        "mmap": Only(3, (2,), mask=3),  # private only: what is shared would be on no memory limit
        "prctl": Only(0, _HARMLESS if namespaces else (_DIES_WITH, *_HARMLESS)),
    }
    if not namespaces:
        own |= _NO_NAMESPACES
    return program(dict.fromkeys(names, ALLOW) | _ARGUMENTS | own, EPERM)


def program_child(namespaces: bool = True) -> bytes:
    """Added for the program: threads of its own, but no further process."""
    away = (*_SERVER.split(), *_PROGRAM_SERVER.split(), "unshare", "setns")
    rules: dict[str, Rule] = dict.fromkeys(away, EPERM)
    own: dict[str, Rule] = {
        "clone": Only(0, (_THREAD,), mask=_THREAD),
        "prlimit64": Only(2, (0,)),
        "wait4": ALLOW,
    }
    if not namespaces:
        own |= {**_ITSELF, "prctl": Only(0, _HARMLESS)}
    return program(rules | own, ALLOW)


_BUILD = "vfork fork symlink symlinkat link linkat chmod mincore sched_setaffinity setpgid setsid"


def build() -> bytes:
    """A build command: what a program has, and processes; no socket."""
    rules = dict.fromkeys((_PLAIN + _SERVER + _PROGRAM + _BUILD).split(), ALLOW)
    own: dict[str, Rule] = {
        "clone": Only(0, (0,), mask=_NEW_NAMESPACES),
        "prctl": Only(0, _HARMLESS),
    }
    return program(
        rules | {name: rule for name, rule in _ARGUMENTS.items() if name != "fcntl"} | own | {"fcntl": ALLOW},
        EPERM,
    )


def build_child() -> bytes:
    """Added for the command; `sendmsg` stays for the process around it, which alone has a socket."""
    away = ("capset", "seccomp", "unshare", "setns", "pidfd_open")
    return program(dict.fromkeys(away, EPERM), ALLOW)


def python_child(namespaces: bool = True) -> bytes:
    """Added in the child: no new process, thread, namespace, message, filter or limit."""
    away = (*_SERVER.split(), "clone", "unshare", "setns")
    rules: dict[str, Rule] = dict.fromkeys(away, EPERM)
    own: dict[str, Rule] = {} if namespaces else {**_ITSELF, "prctl": EPERM}
    return program(rules | {"prlimit64": Only(2, (0,))} | own, ALLOW)
