from common import read_config
from config_util import check_config, non_negative_cond, string_cond


def range_cond():
    return (lambda pair: isinstance(pair, tuple) and len(pair) == 2 and pair[0] < pair[1], 'must be a range of trees')


def validate_config(config_dir):
    return check_config(
        read_config(config_dir),
        {'dry_run': 1, 'n_times_per_input': 2, 'n_inputs': 1, 'frameworks': {'pt', 'relay'}, 'relay_methods': {'aot'},
         'devices': {'cpu'}, 'dataset': 'dev'},
        {'dataset': {'train', 'dev', 'test'}},
        {'dry_run': non_negative_cond(), 'dataset': string_cond(), 'ranges': range_cond()})
