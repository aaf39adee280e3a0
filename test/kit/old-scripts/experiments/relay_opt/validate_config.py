from common import read_config
from config_util import check_config, non_negative_cond


def validate_config(config_dir):
    return check_config(read_config(config_dir), {'dry_run': 1, 'n_times_per_input': 1, 'n_inputs': 1},
                        {'opt_levels': {0, 1, 2, 3, 4}, 'devices': {'cpu', 'gpu'}}, {'dry_run': non_negative_cond()})
