from common import read_config
from config_util import bool_cond, check_config, non_negative_cond


def validate_config(config_dir):
    config = read_config(config_dir)
    return check_config(
        config,
        {'dry_run': 2, 'n_times_per_input': 3, 'n_inputs': 2, 'devices': {'cpu'}, 'frameworks': {'pt', 'relay'},
         'relay_methods': {'aot'}, 'relay_configs': {'loop'}, 'set_seed': False, 'seed': 0},
        {'devices': {'cpu'}, 'frameworks': {'relay', 'pt'}, 'relay_methods': {'aot', 'intp'},
         'relay_configs': {'loop', 'cell'}},
        {'dry_run': non_negative_cond(), 'n_times_per_input': non_negative_cond(), 'n_inputs': non_negative_cond(),
         'seed': non_negative_cond(), 'set_seed': bool_cond()})
