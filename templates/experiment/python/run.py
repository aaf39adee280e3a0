"""Measures. Replace the three functions with what you want to time."""
import random

from exp_templates import common_trial_params, run_template
from validate_config import validate

SIZES = {'small': 1000, 'large': 20000}


def trial(method, numbers):
    return sorted(numbers) if method == 'sorted' else list(numbers).sort()


def trial_setup(dev, network, method):
    return [method, [random.random() for _ in range(SIZES[network])]]


def trial_teardown(method, numbers):
    pass


if __name__ == '__main__':
    run_template(
        validate_config=validate,
        gen_trial_params=common_trial_params(
            'python', 'sort', trial, trial_setup, trial_teardown,
            ['device', 'network', 'method'], ['devices', 'networks', 'methods'],
        ),
    )
