from common import read_config
from config_util import bool_cond, check_config, non_negative_cond


def validate_config(config_dir):
    return check_config(
        read_config(config_dir),
        {'dry_run': 1, 'n_times_per_input': 2, 'n_inputs': 1, 'devices': {'cpu', 'gpu'}, 'batch_sizes': {1},
         'networks': {'nature-dqn', 'vgg-16', 'resnet-18', 'mobilenet'}, 'use_xla': True},
        {'devices': {'cpu', 'gpu'}, 'networks': {'resnet-18', 'mobilenet', 'nature-dqn', 'vgg-16'}},
        {'dry_run': non_negative_cond(), 'batch_sizes': non_negative_cond(), 'use_xla': bool_cond()})
