"""Prints the reference values of test/golden/stats/scipy.json.

    python3 scripts/reference/scipy-stats.py > test/golden/stats/scipy.json

Needs SciPy 1.11 or later (false_discovery_control). The versions that were used are part of the output. Samples are
not stored: `sample` below makes the same numbers as test/golden/stats.test.ts, since splitmix32 and the arithmetic
after it are exact. Where SciPy has no such function, numpy does it here in the slowest and plainest way.
"""

import json
import sys
from types import SimpleNamespace

import numpy as np
import scipy
from scipy import special, stats


def seeded_random(seed):
    """src/core/stats/random.ts"""
    state = seed & 0xFFFFFFFF
    while True:
        state = (state + 0x9E3779B9) & 0xFFFFFFFF
        mixed = state ^ (state >> 16)
        mixed = (mixed * 0x21F0AAAD) & 0xFFFFFFFF
        mixed ^= mixed >> 15
        mixed = (mixed * 0x735A2D97) & 0xFFFFFFFF
        mixed ^= mixed >> 15
        yield mixed / 2**32


def sample(spec):
    random = seeded_random(spec["seed"])
    u = np.array([next(random) for _ in range(spec["n"])])
    kind = spec["kind"]
    if kind == "even":
        values = u
    elif kind == "skewed":  # like run times: a heavy right tail
        values = 1 + u * u / (1.0625 - u)
    elif kind == "ties":
        values = np.floor(u * 6)
    elif kind == "constant":
        values = np.full(len(u), 0.1)
    return values + spec.get("shift", 0)


def spec(kind, n, seed, shift=0):
    return {"kind": kind, "n": n, "seed": seed, "shift": shift}


ONE = [
    spec("even", 2, 1),
    spec("even", 3, 2, -0.5),
    spec("even", 7, 3, -0.25),
    spec("even", 10, 4, -0.375),
    spec("skewed", 10, 5),
    spec("skewed", 20, 6, -1.5),
    spec("skewed", 30, 7, 1000),
    spec("even", 50, 8, -0.5),
    spec("even", 51, 9, -0.5),
    spec("ties", 12, 10, -2),
    spec("ties", 40, 11, -3),
    spec("ties", 200, 12, -2.5),
    spec("skewed", 500, 13, -1.25),
    spec("even", 1001, 14, -0.5),
    spec("constant", 9, 15),
]

TWO = [
    (spec("even", 3, 21), spec("even", 4, 22)),
    (spec("even", 8, 23), spec("even", 8, 24, 0.25)),
    (spec("even", 8, 25), spec("even", 300, 26, 0.125)),
    (spec("skewed", 5, 27), spec("skewed", 9, 28)),
    (spec("skewed", 9, 29), spec("skewed", 9, 30)),
    (spec("ties", 6, 31), spec("ties", 7, 32)),
    (spec("ties", 30, 33), spec("ties", 25, 34, 1)),
    (spec("skewed", 40, 35), spec("skewed", 60, 36, 0.5)),
    (spec("even", 20, 37, 2), spec("even", 20, 38)),
    (spec("skewed", 5000, 39), spec("skewed", 5000, 40, 0.015625)),
    (spec("ties", 20000, 41), spec("ties", 30000, 42)),
    (spec("constant", 5, 43), spec("constant", 9, 44)),
]


def number(value):
    value = float(value)
    return value if np.isfinite(value) else str(value)


def distributions():
    z = [-37, -20, -8, -5, -2.9, -2, -1, -0.5, -1e-4, 0, 0.3, 1, 1.96, 4]
    p = [1e-300, 1e-100, 1e-12, 1e-5, 0.001, 0.025, 0.2, 0.25, 0.3, 0.4999, 0.5, 0.6, 0.9, 0.975, 0.9999]
    df = [0.7, 1, 1.5, 2, 3, 4.2, 9, 19.75, 30, 199, 5000, 30000, 1e6]
    t = [-40, -12, -5, -2.2, -1.7, -1, -0.1, 0, 0.6, 1.8, 3]
    return {
        "normalCdf": [[x, number(special.ndtr(x))] for x in z],
        "normalQuantile": [[x, number(special.ndtri(x))] for x in p],
        "studentCdf": [[x, n, number(stats.t.cdf(x, n))] for n in df for x in t],
        "studentQuantile": [[x, n, number(stats.t.ppf(x, n))] for n in df for x in p if x >= 1e-12],
        "logBeta": [[a, b, number(special.betaln(a, b))] for a in [0.5, 3, 40, 1e5] for b in [0.5, 2.5, 33, 1e4]],
        "erfc": [[x, number(special.erfc(x))] for x in [-3, -0.4, 0, 0.1, 1.9, 2, 2.1, 5, 12, 26]],
    }


def qn(values):
    distances = np.sort([abs(a - b) for i, a in enumerate(values) for b in values[:i]])
    half = len(values) // 2 + 1
    return distances[half * (half - 1) // 2 - 1] / (np.sqrt(2) * special.ndtri(5 / 8))


def walsh(values):
    i, j = np.triu_indices(len(values))
    return (values[i] + values[j]) / 2


def signed_rank_interval(values, level):
    """The order statistics that Hollander and Wolfe give, with counts in whole numbers."""
    n = len(values)
    counts = [1]
    for rank in range(1, n + 1):
        longer = counts + [0] * rank
        for w, count in enumerate(counts):
            longer[w + rank] += count
        counts = longer
    k, tail = 1, counts[0]
    while 2 * (tail + counts[k]) <= (1 - level) * 2**n:
        tail += counts[k]
        k += 1
    averages = np.sort(walsh(values))
    return [number(averages[k - 1]), number(averages[-k]), number(1 - 2 * tail / 2**n)]


def one_sample(s):
    x = sample(s)
    n = len(x)
    constant = s["kind"] == "constant"  # then t is 0 / 0 or rounding, in SciPy
    t = stats.ttest_1samp(x, 0)
    interval = t.confidence_interval(0.99)
    margin = 0.25
    ties = len(np.unique(np.abs(x))) < n or (x == 0).any()
    method = "exact" if n <= 50 and not ties else "asymptotic"
    w = stats.wilcoxon(x, method=method)
    positive = np.abs(x) + 1
    return {
        "sample": s,
        "mean": number(np.mean(x)),
        "median": number(np.median(x)),
        "quantiles": [[p, number(np.quantile(x, p))] for p in [0, 0.025, 0.1, 0.3333, 0.5, 0.9, 1]],
        "deviation": number(np.std(x, ddof=1)),
        "mad": number(stats.median_abs_deviation(x, scale="normal")),
        "qn": number(qn(x)),
        "trimmed": number(stats.trim_mean(x, 0.2)),
        "winsorized": number(stats.mstats.winsorize(x, (0.2, 0.2)).mean()),
        "geometric": number(stats.gmean(positive)),
        "t": None if constant else [number(v) for v in (t.statistic, t.pvalue, interval.low, interval.high)],
        "equivalence": None
        if constant
        else [
            number(stats.ttest_1samp(x, -margin, alternative="greater").pvalue),
            number(stats.ttest_1samp(x, margin, alternative="less").pvalue),
        ],
        "wilcoxon": [number(w.statistic), number(w.pvalue)],
        "pseudoMedian": number(np.median(walsh(x))),
        "pseudoMedianInterval": signed_rank_interval(x, 0.95) if n <= 50 else None,
    }


def two_samples(a, b):
    x, y = sample(a), sample(b)
    welch = stats.ttest_ind(x, y, equal_var=False)
    interval = welch.confidence_interval(0.95)
    u = stats.mannwhitneyu(x, y, alternative="two-sided")
    return {
        "a": a,
        "b": b,
        "welch": None
        if a["kind"] == "constant"
        else [number(v) for v in (welch.statistic, welch.df, welch.pvalue, interval.low, interval.high)],
        "mannWhitney": [number(u.statistic), number(u.pvalue)],
        "shift": number(np.median(y[None, :] - x[:, None])) if len(x) * len(y) < 1e7 else None,
    }


def draw(n, random):
    return np.array([int(next(random) * n) for _ in range(n)])


STATISTICS = {
    "mean": lambda x, axis=-1: np.mean(x, axis=axis),
    "median": lambda x, axis=-1: np.median(x, axis=axis),
    "difference": lambda x, y, axis=-1: np.mean(x, axis=axis) - np.mean(y, axis=axis),
    "ratioOfMedians": lambda x, y, axis=-1: np.median(x, axis=axis) / np.median(y, axis=axis),
}


def bootstrap(name, specs, level, seed):
    """SciPy's own limits, over a distribution from the indices that src/core/stats draws."""
    data = [sample(s) for s in specs]
    statistic = STATISTICS[name]
    random = seeded_random(seed)
    resamples = 999
    distribution = np.array([statistic(*[x[draw(len(x), random)] for x in data]) for _ in range(resamples)])
    before = SimpleNamespace(bootstrap_distribution=distribution)
    result = {"statistic": name, "samples": specs, "level": level, "seed": seed, "resamples": resamples}
    for method in ("percentile", "bca"):
        limits = stats.bootstrap(
            data,
            statistic,
            n_resamples=0,
            bootstrap_result=before,
            confidence_level=level,
            method=method,
            vectorized=True,
        ).confidence_interval
        result[method] = [number(limits.low), number(limits.high)]
    return result


def bootstraps():
    return [
        bootstrap("mean", [spec("even", 5, 51)], 0.95, 1),
        bootstrap("mean", [spec("skewed", 10, 52)], 0.95, 2),
        bootstrap("mean", [spec("skewed", 20, 53)], 0.99, 3),
        bootstrap("mean", [spec("ties", 20, 54, -2)], 0.95, 4),
        bootstrap("median", [spec("skewed", 21, 55)], 0.95, 5),
        bootstrap("median", [spec("ties", 14, 56)], 0.9, 6),
        bootstrap("difference", [spec("skewed", 8, 57), spec("skewed", 13, 58)], 0.95, 7),
        bootstrap("ratioOfMedians", [spec("skewed", 15, 59), spec("skewed", 12, 60)], 0.95, 8),
    ]


def hierarchical(name, a, b, seed):
    """Two levels, drawn one number after the other as src/core/stats does."""
    runs_a, runs_b = [sample(s) for s in a], [sample(s) for s in b]
    random = seeded_random(seed)

    def drawn_mean(run):
        return run[draw(len(run), random)].mean()

    def mean_of_runs(runs):
        return np.mean([drawn_mean(runs[int(next(random) * len(runs))]) for _ in runs])

    def paired():
        differences = []
        for _ in runs_a:
            run = int(next(random) * len(runs_a))
            differences.append(drawn_mean(runs_a[run]) - drawn_mean(runs_b[run]))
        return np.mean(differences)

    one = {
        "mean": lambda: mean_of_runs(runs_a),
        "difference": lambda: mean_of_runs(runs_a) - mean_of_runs(runs_b),
        "pairedDifference": paired,
    }[name]
    distribution = [one() for _ in range(499)]
    limits = [number(v) for v in np.quantile(distribution, [0.025, 0.975])]
    return {"name": name, "a": a, "b": b, "seed": seed, "resamples": 499, "level": 0.95, "limits": limits}


def hierarchies():
    a = [spec("skewed", n, 70 + n, n / 8) for n in (3, 9, 5, 1)]
    b = [spec("skewed", n, 90 + n, n / 4) for n in (4, 2, 8, 6)]
    return [
        hierarchical("mean", a, [], 1),
        hierarchical("difference", a, b[:3], 2),
        hierarchical("pairedDifference", a, b, 3),
    ]


def false_discoveries():
    random = seeded_random(99)
    lists = [
        [0.01],
        [0.04, 0.01, 0.03, 0.02],
        [0.05, 0.05, 0.05],
        [1, 0, 0.5, 1e-300],
        [next(random) ** 3 for _ in range(100)],
    ]
    return [[p, [number(v) for v in stats.false_discovery_control(p)]] for p in lists]


def write(result):
    """One line a case, so that a change can be read."""
    parts = []
    for key, value in result.items():
        if isinstance(value, list):
            value = "[\n  " + ",\n  ".join(json.dumps(item) for item in value) + "\n ]"
        elif isinstance(value, dict):
            value = "{\n  " + ",\n  ".join(f'"{name}": {json.dumps(item)}' for name, item in value.items()) + "\n }"
        else:
            value = json.dumps(value)
        parts.append(f' "{key}": {value}')
    print("{\n" + ",\n".join(parts) + "\n}")


write(
    {
        "made": f"SciPy {scipy.__version__}, numpy {np.__version__}, Python {sys.version.split()[0]}",
        "distributions": distributions(),
        "one": [one_sample(s) for s in ONE],
        "two": [two_samples(a, b) for a, b in TWO],
        "bootstrap": bootstraps(),
        "hierarchical": hierarchies(),
        "falseDiscovery": false_discoveries(),
    }
)
