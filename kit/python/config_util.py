"""Checks the config of an experiment and fills in its defaults.

    from config_util import check_config, non_negative_cond

    def validate_config(config_dir):
        return check_config(read_config(config_dir), {'n_inputs': 3}, {'devices': {'cpu', 'gpu'}},
                            {'n_inputs': non_negative_cond()})
"""

from nightmark_ordered_set import OrderedSet

__all__ = ['check_config', 'check_item', 'non_negative_cond', 'string_cond', 'bool_cond', 'OrderedSet']


def check_config(config, defaults=None, acceptable_values=None, conditions=None, permit_empty=None):
    """(the config with its defaults, '') or (None, what is wrong with it).

    acceptable_values: {field: values}; conditions: {field: (predicate, its name)}; permit_empty: the fields whose list
    may be empty. A list becomes a set, in the order of the config. A field that is null counts as not given."""
    if not isinstance(config, dict):
        return None, 'The config must be an object with fields, not {}'.format(type(config).__name__)
    may_be_empty = {'notify'} if permit_empty is None else permit_empty
    checked = dict(defaults or {})
    for field, value in config.items():
        if value is None:
            continue
        if isinstance(value, list) and not value and field not in may_be_empty:
            return None, 'Config field {} is not permitted to be empty'.format(field)
        kept, message = _check_field(field, value, acceptable_values or {}, conditions or {})
        if message:
            return None, message
        checked[field] = kept
    return checked, ''


def check_item(field, value, acceptable_values, conditions):
    """(value, '') if one value may stand in a field, else (None, why not)."""
    if field in acceptable_values and not any(value == accepted for accepted in acceptable_values[field]):
        return None, 'Invalid value {} for field {}'.format(value, field)
    if field in conditions:
        predicate, name = conditions[field]
        if not predicate(value):
            return None, '{} does not meet precondition "{}" for field {}'.format(value, name, field)
    return value, ''


def non_negative_cond():
    return (lambda value: isinstance(value, int) and value >= 0, 'must be non-negative')


def string_cond():
    return (lambda value: isinstance(value, str), 'must be string')


def bool_cond():
    return (lambda value: isinstance(value, bool), 'must be bool')


def frozen(value):
    """Lists inside lists as tuples: a set cannot hold a list."""
    return tuple(frozen(item) for item in value) if isinstance(value, list) else value


def _check_field(field, value, acceptable_values, conditions):
    if not isinstance(value, list):
        return check_item(field, value, acceptable_values, conditions)
    items = OrderedSet()
    for item in value:
        item = frozen(item)
        if item is None or not _is_hashable(item):
            return None, 'Invalid value {} for field {}'.format(item, field)
        _, message = check_item(field, item, acceptable_values, conditions)
        if message:
            return None, message
        items.add(item)
    return items, ''


def _is_hashable(item):
    try:
        hash(item)
    except TypeError:
        return False
    return True
