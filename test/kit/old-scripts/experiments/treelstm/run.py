import time

from common import invoke_main, write_status
from trial_util import configure_seed, run_trials
from validate_config import validate_config

SECONDS = {'pt': 0.03, 'relay': 0.02}


def main(config_dir, output_dir):
    config, message = validate_config(config_dir)
    if config is None:
        write_status(output_dir, False, message)
        return 1
    configure_seed(config)
    for framework in config['frameworks']:
        success, message = run_trials(
            framework, 'treelstm', config['dry_run'], config['n_times_per_input'], config['n_inputs'],
            lambda seconds: time.sleep(seconds), lambda *args: [SECONDS[framework]], lambda seconds: None,
            ['device', 'dataset', 'range'], [config['devices'], [config['dataset']], config['ranges']],
            path_prefix=output_dir)
        if not success:
            write_status(output_dir, False, message)
            return 1
    write_status(output_dir, True, 'success')
    return 0


if __name__ == '__main__':
    invoke_main(main, 'config_dir', 'output_dir')
