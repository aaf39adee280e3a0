from exp_templates import common_early_exit, common_trial_params, run_template
from mxnet_util import setup, teardown, trial
from validate_config import validate_config

if __name__ == '__main__':
    run_template(validate_config, common_early_exit({'frameworks': 'mxnet'}),
                 common_trial_params('mxnet', 'gluon_rnns', trial, setup('mxnet'), teardown,
                                     ['device', 'network'], ['devices', 'networks']))
