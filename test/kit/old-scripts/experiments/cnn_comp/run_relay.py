from cnn_trial import setup, teardown, trial
from exp_templates import common_trial_params, run_template
from validate_config import validate_config

if __name__ == '__main__':
    run_template(validate_config, gen_trial_params=common_trial_params(
        'relay', 'cnn_comp', trial, setup(1), teardown, ['network', 'device', 'batch_size'],
        ['networks', 'devices', 'batch_sizes']))
