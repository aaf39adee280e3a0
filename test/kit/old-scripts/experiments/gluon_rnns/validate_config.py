from common import read_config
from config_util import check_config, non_negative_cond


def validate_config(config_dir):
    return check_config(
        read_config(config_dir),
        {'dry_run': 1, 'n_times_per_input': 2, 'n_inputs': 2, 'frameworks': {'mxnet', 'relay'}, 'devices': {'cpu'},
         'relay_methods': {'aot'}, 'relay_configs': {'loop'}},
        {'devices': {'cpu', 'gpu'}, 'frameworks': {'mxnet', 'relay'}, 'networks': {'rnn', 'gru', 'lstm'}},
        {'dry_run': non_negative_cond(), 'n_inputs': non_negative_cond()})
