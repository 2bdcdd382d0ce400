"""GRPO and hybrid advantages, written down straightforwardly with numpy: what `parlor bench` compares itself with.

In (stdin): {"repeats", "groups": [[{"outcome", "turnRewards": [...]}, ...], ...]}.
Out (stdout): {"numpy", "seconds" (median), "grpo": [...] per episode, "hybrid": [...] per turn}, in the order given.
"""

import json
import sys
import time

import numpy as np

GAMMA, LAMBDA, EPSILON = 0.9, 0.3, 1e-6


def normalise(values):
    if len(values) < 2 or np.ptp(values) == 0:
        return np.zeros(len(values))
    return (values - values.mean()) / (values.std(ddof=1) + EPSILON)


def returns(rollout):
    result = np.empty(len(rollout["turnRewards"]))
    total = rollout["outcome"]
    for turn in range(len(result) - 1, -1, -1):
        total = rollout["turnRewards"][turn] + GAMMA * total
        result[turn] = total
    return result


def advantages(groups):
    grpo, hybrid = [], []
    for group in groups:
        outcome = normalise(np.array([rollout["outcome"] for rollout in group], dtype=float))
        grpo.append(outcome)
        per_turn = [returns(rollout) for rollout in group]
        lengths = [len(values) for values in per_turn]
        hybrid.append(normalise(np.concatenate(per_turn)) + LAMBDA * np.repeat(outcome, lengths))
    return np.concatenate(grpo), np.concatenate(hybrid)


def main():
    given = json.load(sys.stdin)
    groups = given["groups"]
    advantages(groups[:50])
    times = []
    for _ in range(given["repeats"]):
        start = time.perf_counter()
        grpo, hybrid = advantages(groups)
        times.append(time.perf_counter() - start)
    print(
        json.dumps(
            {
                "numpy": np.__version__,
                "seconds": float(np.median(times)),
                "grpo": grpo.tolist(),
                "hybrid": hybrid.tolist(),
            }
        )
    )


main()
