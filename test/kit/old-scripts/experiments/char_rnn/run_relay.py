from exp_templates import common_early_exit, common_trial_params, run_template
from rnn_trial import setup, teardown, trial
from validate_config import validate_config

if __name__ == '__main__':
    run_template(validate_config=validate_config, check_early_exit=common_early_exit({'frameworks': 'relay'}),
                 gen_trial_params=common_trial_params('relay', 'char_rnn', trial, setup, teardown,
                                                      ['device', 'configuration', 'method'],
                                                      ['devices', 'relay_configs', 'relay_methods']))
