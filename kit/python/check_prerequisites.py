"""Checks whether the experiments that a subsystem builds upon have delivered what it needs."""

from config_util import frozen

__all__ = ['check_prerequisites', 'match_values']


def check_prerequisites(info, prerequisites):
    """(True, 'success') or (False, the first thing that is missing).

    prerequisites: {experiment: {field of its config: the value it must have, or for a list must hold}}"""
    for experiment, required in prerequisites.items():
        message = _missing(info, experiment, required)
        if message:
            return False, message
    return True, 'success'


def match_values(expected, actual):
    """Whether a value of a config is what is expected: equal, or a list that holds every expected item."""
    if expected == actual:
        return True
    if not isinstance(expected, list) or not isinstance(actual, list):
        return False
    held = [frozen(item) for item in actual]
    return all(frozen(item) in held for item in expected)


def _missing(info, experiment, required):
    if not info.exp_config_valid(experiment):
        return 'Config invalid for {}'.format(experiment)
    try:
        config = info.read_exp_config(experiment)
    except (OSError, ValueError, RecursionError):
        config = None
    if not isinstance(config, dict):
        return 'Config invalid for {}'.format(experiment)
    if not config.get('active', False):
        return 'Required experiment {} not active'.format(experiment)
    for field, expected in required.items():
        if field not in config:
            return 'Config for experiment {} is missing field {}'.format(experiment, field)
        if not match_values(expected, config[field]):
            return 'Config for {} does not match requirements for entry {}'.format(experiment, field)
    if not info.exp_stage_status(experiment, 'analysis').get('success'):
        return '{} failed to produce analyzed data'.format(experiment)
    return ''
