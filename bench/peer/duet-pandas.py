"""What a careful user of pandas would write: read a folder of duet results, write one table, pair iterations of A and B that
overlap, and print the mean difference of each run. Usage: duet-pandas.py DIR TABLE [--no-pairs]"""
import json
import os
import re
import resource
import sys

import numpy as np
import pandas as pd

NAME = re.compile(r"([\w-]+)\.([\w-]+)\.(\d+)\.(duet|syncduet|seqn)\.(AB|BA|None)\.([AB])\.")
KEYS = ["suite", "benchmark", "type", "order", "pair", "runid"]


def read_renaissance(path):
    with open(path) as file:
        root = json.load(file)
    epoch = root["environment"]["vm"]["start_unix_ms"]
    (data,) = root["data"].values()
    frame = pd.DataFrame(data["results"]).rename(columns={"duration_ns": "iteration_time_ns"})
    frame["epoch_start_ms"] = epoch
    frame["iteration"] = np.arange(len(frame))
    frame["iteration_start_ns"] = epoch * 1_000_000 + frame["uptime_ns"]
    return frame


def read_dacapo(path):
    frame = pd.read_csv(path)
    frame["iteration"] = np.arange(1, len(frame) + 1)
    frame["iteration_start_ns"] = frame["start_unix"] * 1_000_000
    return frame


READERS = {"renaissance": read_renaissance, "dacapo": read_dacapo, "scalabench": read_dacapo}


def read_folder(folder):
    frames = []
    for name in sorted(os.listdir(folder)):
        found = NAME.match(name)
        if not found:
            continue
        suite, benchmark, runid, kind, order, pair = found.groups()
        frame = READERS[suite](os.path.join(folder, name))
        for key, value in zip(KEYS, (suite, benchmark, kind, order, pair, int(runid))):
            frame[key] = value
        frame["iteration_end_ns"] = frame["iteration_start_ns"] + frame["iteration_time_ns"]
        frames.append(frame)
    table = pd.concat(frames, ignore_index=True)
    for artifact in sorted(os.listdir(os.path.join(folder, "artifacts"))):
        with open(os.path.join(folder, "artifacts", artifact)) as file:
            table[artifact] = file.read().strip()
    return table


def overlaps(a, b, ratio=0.4):
    """Differences A - B of all pairs that overlap by more than the ratio of both; intervals of a side follow each other."""
    a = a.sort_values("iteration_start_ns")
    b = b.sort_values("iteration_start_ns")
    starts_a, ends_a, times_a = (a[f"iteration_{it}_ns"].to_numpy() for it in ("start", "end", "time"))
    starts_b, ends_b, times_b = (b[f"iteration_{it}_ns"].to_numpy() for it in ("start", "end", "time"))
    first = np.searchsorted(ends_b, starts_a, side="right")
    last = np.searchsorted(starts_b, ends_a, side="left")
    counts = np.maximum(last - first, 0)
    left = np.repeat(np.arange(len(starts_a)), counts)
    right = np.arange(counts.sum()) - np.repeat(np.cumsum(counts) - counts, counts) + np.repeat(first, counts)
    shared = np.minimum(ends_a[left], ends_b[right]) - np.maximum(starts_a[left], starts_b[right])
    kept = (shared > ratio * times_a[left]) & (shared > ratio * times_b[right])
    return times_a[left][kept] - times_b[right][kept]


def main(folder, path, *options):
    table = read_folder(folder)
    table.to_csv(path, index=False)
    means = []
    if "--no-pairs" not in options:
        for _, run in table.groupby(["suite", "benchmark", "type", "runid"]):
            pairs = overlaps(run[run["pair"] == "A"], run[run["pair"] == "B"])
            means.append(pairs.mean() if len(pairs) else float("nan"))
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    print(json.dumps({"rows": len(table), "runs": len(means), "maxRssKib": peak}))


main(*sys.argv[1:])
