"""What the sandbox guarantees on this machine, to this user: found by trying to break it from inside."""

from arena.doctor.examination import Examination, Finding, examine

__all__ = ["Examination", "Finding", "examine"]
