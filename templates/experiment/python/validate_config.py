"""What config.json may say."""
from common import read_config
from config_util import check_config, non_negative_cond, string_cond


def validate(config_dir):
    return check_config(
        read_config(config_dir),
        defaults={
            'title': 'Sorting',
            'devices': ['cpu'],
            'networks': ['small', 'large'],
            'methods': ['sorted', 'sort'],
            'dry_run': 2,
            'n_times_per_input': 5,
            'n_inputs': 1,
            'set_seed': False,
            'seed': 42,
        },
        acceptable_values={
            'devices': {'cpu'},
            'networks': {'small', 'large'},
            'methods': {'sorted', 'sort'},
        },
        conditions={
            'title': string_cond(),
            'dry_run': non_negative_cond(),
            'n_times_per_input': non_negative_cond(),
            'n_inputs': non_negative_cond(),
        },
    )
