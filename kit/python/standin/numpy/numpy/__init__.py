"""Stands in for numpy where it is not installed: the few functions that subsystems of dashboards use.

include_shared_python_deps puts it on PYTHONPATH only if python3 finds no numpy."""

import math

from nightmark_numbers import mean, median, std

from . import random

__all__ = ['mean', 'median', 'std', 'nan', 'isnan', 'random']

nan = math.nan


def isnan(value):
    return [isnan(item) for item in value] if isinstance(value, (list, tuple)) else math.isnan(value)
