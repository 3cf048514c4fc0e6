#!/usr/bin/env python3
"""Measures the checker on models whose state counts are known, and refuses a wrong count.

Prints one line per model: distinct states, transitions, wall and processor time, transitions per
second of wall time, and bytes of the visited set per state. Usage: bench.py PROGRAM [--threads N]
"""

import json
import subprocess
import sys

# Model -> distinct states, from the closed form of two-phase commit and from counts of MigrateCore
# that several checkers agree on.
KNOWN = {
    "two-phase-commit/6": 2**6 + 4**6 + 6**6,
    "two-phase-commit/8": 2**8 + 4**8 + 6**8,
    "migrate-core/3-right-1-1": 25595,
    "migrate-core/3-right-1-1-all-equal": 3578463,
    "migrate-core/4-wrong-0-0": 16311748,
}


def main():
    program, *flags = sys.argv[1:]
    wrong = 0
    print(f"{'model':<36} {'states':>12} {'transitions':>14} {'wall s':>8} {'cpu s':>8} "
          f"{'trans/s':>12} {'B/state':>8}")
    for model, states in KNOWN.items():
        done = subprocess.run([program, "check", f"textbook:{model}", "--json", *flags],
                              capture_output=True, text=True, check=False)
        if done.returncode not in (0, 1):
            print(f"{model}: exit status {done.returncode}: {done.stderr.strip()}")
            wrong += 1
            continue
        found = json.loads(done.stdout)
        rate = found["transitions"] / max(found["seconds"], 1e-9)
        print(f"{model:<36} {found['states']:>12,} {found['transitions']:>14,} "
              f"{found['seconds']:>8.2f} {found['cpu_seconds']:>8.2f} {rate:>12,.0f} "
              f"{found['visited_bytes'] / found['states']:>8.1f}")
        if found["states"] != states:
            print(f"{model}: {found['states']:,} states, expected {states:,}")
            wrong += 1
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
