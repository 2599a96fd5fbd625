"""What an organiser can do: one actionable line for each thing that is missing."""

import re

_BY_GUARANTEE = {
    "network": "run on a kernel with network namespaces, or on a machine without a network",
    "host files": "run on a kernel of at least 5.13 with user namespaces and Landlock",
    "names and sizes of host files": "run on a kernel with user and mount namespaces",
    "writing": "run on a kernel of at least 5.13 with user namespaces and Landlock",
    "processes": "run on a kernel with system call filters (CONFIG_SECCOMP_FILTER)",
    "memory": "report this as a bug of arena: the limit is the process's own and needs no right",
    "system calls": "run on a kernel with system call filters (CONFIG_SECCOMP_FILTER)",
    "other bots": "run on a kernel of at least 5.13 with user namespaces and Landlock",
    "clean state": "run on a kernel with IPC namespaces and system call filters",
    "clock": "run on a kernel with CONFIG_SCHED_INFO, and leave a core to each worker (`--workers`)",
}
_BY_ERROR = (
    ("user namespace", "allow user namespaces: `sysctl kernel.unprivileged_userns_clone=1` (Debian), "
     "`kernel.apparmor_restrict_unprivileged_userns=0` (Ubuntu), `user.max_user_namespaces=10000`; "
     "in a container: `--security-opt seccomp=unconfined`"),
    ("namespaces", "allow namespaces: in a container `--security-opt seccomp=unconfined --security-opt "
     "apparmor=unconfined`, or run arena on the host"),
    ("file system", "allow mounts in a user namespace: in a container `--security-opt apparmor=unconfined`, "
     "or run arena on the host"),
    ("landlock", "run on a kernel of at least 5.13 with Landlock: add `lsm=landlock,…` to its command line"),
    ("filter", "run on a kernel with system call filters (CONFIG_SECCOMP_FILTER)"),
    ("Linux", "run arena on Linux: a virtual machine will do"),
    ("machine of type", "run on x86-64 or aarch64"),
)  # fmt: skip


def advice_for(guarantee: str) -> str:
    """How to get a guarantee that does not hold."""
    return _BY_GUARANTEE[guarantee]


def advice_for_error(error: str) -> str:
    """How to get what a tier lacks, from the line that says what failed; empty where nothing is known."""
    found = (text for word, text in _BY_ERROR if re.search(rf"\b{word}", error, re.IGNORECASE))
    return next(found, "")
