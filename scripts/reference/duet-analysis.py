"""Prints what the original's steps give for test/golden/duet/simulated.csv, computed with pandas and SciPy.

    python3 scripts/reference/duet-analysis.py > test/golden/duet/simulated.expected.json
"""
import json
import sys

import numpy
import pandas
import scipy
from scipy import stats

WARMING = ("renaissance", "dacapo", "scalabench")
NAMES = ["suite", "benchmark", "type"]
MIN_OVERLAP = 0.4


def cut_half(frame):
    largest = frame.groupby(NAMES + ["runid"])["iteration"].transform("max")
    return frame[~frame["suite"].isin(WARMING) | (frame["iteration"] >= largest / 2)]


def sweep(a, b):
    a = a.sort_values("iteration_start_ns").to_dict("records")
    b = b.sort_values("iteration_start_ns").to_dict("records")
    i = j = 0
    while i < len(a) and j < len(b):
        x, y = a[i], b[j]
        overlap = min(x["iteration_end_ns"], y["iteration_end_ns"]) - max(x["iteration_start_ns"], y["iteration_start_ns"])
        times = x["iteration_time_ns"], y["iteration_time_ns"]
        if overlap > 0 and all(overlap > MIN_OVERLAP * time for time in times):
            yield times
        if x["iteration_start_ns"] == y["iteration_start_ns"]:
            forward_a = x["iteration_end_ns"] <= y["iteration_end_ns"]
        else:
            forward_a = x["iteration_start_ns"] < y["iteration_start_ns"]
        if forward_a:
            i += 1
        else:
            j += 1


def pairs_of(run, kind):
    a, b = run[run["pair"] == "A"], run[run["pair"] == "B"]
    if kind == "duet":
        return list(sweep(a, b))
    joined = a.merge(b, on="iteration")
    return list(zip(joined["iteration_time_ns_x"], joined["iteration_time_ns_y"]))


def winsorize(ratios):
    order = numpy.argsort(ratios)
    values = numpy.array(ratios, dtype=float)
    if len(values) < 3:
        return values
    low, high = values[order[0]], values[order[-1]]
    rest_low, rest_high = values[order[1]], values[order[-2]]
    below = rest_low - low - 0.2 * (high - rest_low)
    above = high - rest_high - 0.2 * (rest_high - low)
    if above > 0 and above >= below:
        values[order[-1]] = rest_high
    elif below > 0:
        values[order[0]] = rest_low
    return values


def describe(group, kind):
    runs = [pairs_of(run, kind) for _, run in group.groupby("runid")]
    means = [float(numpy.mean([a - b for a, b in pairs])) for pairs in runs if pairs]
    times = group["iteration_time_ns"].astype(float)
    sides = [group[group["pair"] == side]["iteration_time_ns"].astype(float) for side in "AB"]
    result = {
        "pairs": sum(map(len, runs)),
        "run_means": means,
        "grand_mean": float(times.mean()),
        "variation": float(times.std(ddof=1) / times.mean()),
        "u_test_p": float(stats.mannwhitneyu(*sides, alternative="two-sided").pvalue),
    }
    if len(means) >= 2:
        limits = [bca(means, seed) for seed in range(5)]
        geomeans = [float(stats.gmean(winsorize([a / b for a, b in pairs]))) for pairs in runs if pairs]
        result["bca"] = [float(numpy.mean([limit[side] for limit in limits])) for side in (0, 1)]
        result["icpe"] = float(stats.gmean(geomeans))
        result["icpe_limits"] = percentile(geomeans)
    return result


def bca(means, seed):
    random = numpy.random.default_rng(seed)
    found = stats.bootstrap((means,), numpy.mean, n_resamples=9999, method="BCa", random_state=random)
    return found.confidence_interval


def percentile(geomeans):
    random = numpy.random.default_rng(0)
    drawn = random.choice(geomeans, (200_000, len(geomeans)))
    return [float(limit) for limit in numpy.quantile(stats.gmean(drawn, axis=1), [0.005, 0.995])]


def main():
    frame = cut_half(pandas.read_csv("test/golden/duet/simulated.csv", keep_default_na=False))
    groups = {"/".join(names): describe(group, names[2]) for names, group in frame.groupby(NAMES)}
    versions = {"scipy": scipy.__version__, "pandas": pandas.__version__, "numpy": numpy.__version__}
    json.dump({"versions": versions, "groups": groups}, sys.stdout, indent=1)
    print()


main()
