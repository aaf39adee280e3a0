"""Mean, median and deviation as numpy computes them, to the last bit, for machines without numpy."""

import math

__all__ = ["mean", "median", "std"]

BLOCK = 128


def mean(values):
    """The arithmetic mean; NaN of nothing."""
    values = [float(value) for value in values]
    return _sum(values) / len(values) if values else math.nan


def median(values):
    """The middle value, or the mean of the two in the middle; NaN of nothing or with a NaN among them."""
    values = sorted(float(value) for value in values)
    if not values or any(math.isnan(value) for value in values):
        return math.nan
    middle = len(values) // 2
    return values[middle] if len(values) % 2 else mean(values[middle - 1:middle + 1])


def std(values):
    """The population deviation: the root of the mean of squared differences; NaN of nothing."""
    values = [float(value) for value in values]
    centre = mean(values)
    return math.sqrt(mean([(value - centre) * (value - centre) for value in values])) if values else math.nan


def _sum(values):
    """Pairwise summation in numpy's order: the order of additions decides the last bit, and with it ties of alerts."""
    count = len(values)
    if count < 8:
        return _plain_sum(values)
    if count > BLOCK:
        half = count // 2
        half -= half % 8
        return _sum(values[:half]) + _sum(values[half:])
    whole = count - count % 8
    lanes = [_plain_sum(values[lane:whole:8]) for lane in range(8)]
    total = ((lanes[0] + lanes[1]) + (lanes[2] + lanes[3])) + ((lanes[4] + lanes[5]) + (lanes[6] + lanes[7]))
    for value in values[whole:]:
        total += value
    return total


def _plain_sum(values):
    # Not sum(): from Python 3.12 on that one corrects its rounding, and so differs from numpy.
    total = 0.0
    for value in values:
        total += value
    return total
