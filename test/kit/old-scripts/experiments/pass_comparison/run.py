from cnn_trial import SECONDS, teardown, trial
from exp_templates import run_template
from pass_names import name_of
from validate_config import validate_config


def params(config):
    return ['relay', 'pass_comparison', config['dry_run'], config['n_times_per_input'], config['n_inputs'], trial,
            lambda network, device, passes: [SECONDS[network]], teardown, ['network', 'device', 'passes'],
            [config['networks'], config['devices'], [name_of(spec) for spec in config['passes']]]]


if __name__ == '__main__':
    run_template(validate_config, gen_trial_params=params)
