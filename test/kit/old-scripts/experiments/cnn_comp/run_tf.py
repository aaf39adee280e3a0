from cnn_trial import setup, teardown, trial
from common import invoke_main, write_status
from trial_util import configure_seed, run_trials
from validate_config import validate_config


def main(config_dir, output_dir):
    config, message = validate_config(config_dir)
    if config is None:
        write_status(output_dir, False, message)
        return 1
    configure_seed(config)
    # XLA is a switch of the process in earnest: one file for both, written by appending only.
    for xla, factor in ((False, 3), (True, 2)):
        success, message = run_trials(
            'tf', 'cnn_comp', config['dry_run'], config['n_times_per_input'], config['n_inputs'], trial, setup(factor),
            teardown, ['network', 'device', 'batch_size', 'xla'],
            [config['networks'], config['devices'], config['batch_sizes'], [xla]], path_prefix=output_dir,
            append_to_csv=True)
        if not success:
            break
    write_status(output_dir, success, message)
    return 0 if success else 1


if __name__ == '__main__':
    invoke_main(main, 'config_dir', 'output_dir')
