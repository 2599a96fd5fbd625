"""Seeds: every random choice of a tournament comes from its master seed through here."""

import hashlib

BOT_SEED_BITS = 53  # a bot's seed is a JSON number that every language reads exactly


def derive(master: int, purpose: str, *fields: int | str, bits: int = 256) -> int:
    """A whole number of `bits` bits (at most 256) hashed from the master seed, a purpose and identity fields.

    Fields are separated by their lengths, never joined by xor: seeds 1 and 2, or fields ("1", "23") and
    ("12", "3"), share nothing.
    """
    digest = hashlib.sha256()
    for part in (str(master), purpose, *map(str, fields)):
        data = part.encode()
        digest.update(b"%d:" % len(data) + data)
    return int.from_bytes(digest.digest(), "big") >> (256 - bits)
