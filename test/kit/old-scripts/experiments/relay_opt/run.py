from cnn_trial import teardown, trial, SECONDS
from exp_templates import common_trial_params, run_template
from validate_config import validate_config

if __name__ == '__main__':
    run_template(validate_config, gen_trial_params=common_trial_params(
        'relay', 'opt_comparison', trial, lambda network, device, level: [SECONDS[network] / (1 + level)], teardown,
        ['network', 'device', 'opt_level'], ['networks', 'devices', 'opt_levels']))
