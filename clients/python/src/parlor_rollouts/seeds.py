"""Seeds from seeds, so that one number decides a whole batch."""

from __future__ import annotations

import hashlib


def derive_seed(seed: int, *parts: object) -> int:
    """A 32-bit seed from a seed and labels: the same on every machine and in every version."""
    text = "/".join(["parlor-rollouts", str(seed), *map(str, parts)])
    return int.from_bytes(hashlib.sha256(text.encode()).digest()[:4], "big")


def speaks(share: float, index: int) -> bool:
    """Whether group `index` is spoken: after n groups the spoken ones are `share * n`, rounded down, wherever one stops."""
    return int((index + 1) * share + 1e-9) > int(index * share + 1e-9)
