"""Times trials into a CSV file: one row a timed call, with the parameters it was called for.

    from trial_util import run_trials

    ok, message = run_trials('python', 'sorting', 2, 10, 3, trial, setup, teardown, ['size'], [[100, 1000]], output_dir)

writes output_dir/python-sorting.csv with the columns size, rep, run, time (in seconds).
"""

import collections
import csv
import itertools
import random
import sys
import time

from common import prepare_out_file, render_exception

__all__ = ['run_trials', 'set_seed', 'configure_seed']

# Rest between the repetitions of one combination, so that one does not heat up the next.
REST_S = 4

_Plan = collections.namedtuple('_Plan', 'method task_name dry_run times_per_input n_input trial setup teardown')


class _TrialFailed(Exception):
    """What an experiment's own function raised, and for which parameters."""


def run_trials(method, task_name, dry_run, times_per_input, n_input, trial, trial_setup, trial_teardown,
               parameter_names, parameter_ranges, path_prefix='', append_to_csv=False):
    """Runs a trial for every combination of parameters and writes <path_prefix>/<method>-<task_name>.csv.

    For each combination, n_input times: trial_setup(*combination) gives the arguments, trial(*arguments) is called
    dry_run times untimed and times_per_input times timed, then trial_teardown(*arguments).
    Returns (True, 'success') or (False, what happened); the rows so far stay."""
    plan = _Plan(method, task_name, dry_run, times_per_input, n_input, trial, trial_setup, trial_teardown)
    try:
        path = prepare_out_file(path_prefix, '{}-{}.csv'.format(method, task_name))
        with open(path, 'a' if append_to_csv else 'w', newline='', encoding='utf-8') as file:
            writer = csv.writer(file)
            if not append_to_csv:
                writer.writerow(list(parameter_names) + ['rep', 'run', 'time'])
            for combination in itertools.product(*parameter_ranges):
                _run_combination(plan, combination, writer, file)
    except _TrialFailed as failure:
        return False, str(failure)
    except Exception as e:
        return False, 'Encountered exception:\n' + render_exception(e)
    return True, 'success'


def set_seed(seed):
    """Seeds Python's random numbers, and those of the frameworks that are loaded already."""
    random.seed(seed)
    loaded = sys.modules
    if 'numpy' in loaded:
        loaded['numpy'].random.seed(seed)
    if 'mxnet' in loaded:
        loaded['mxnet'].random.seed(seed)
    if 'tensorflow' in loaded:
        tensorflow = loaded['tensorflow']
        in_two = getattr(getattr(tensorflow, 'random', None), 'set_seed', None)
        (in_two or tensorflow.set_random_seed)(seed)
    if 'torch' in loaded:
        loaded['torch'].manual_seed(seed)


def configure_seed(config):
    """Seeds with config['seed'] if config['set_seed'] says so."""
    if config.get('set_seed'):
        set_seed(config['seed'])


def _run_combination(plan, combination, writer, file):
    means = []
    for rep in range(plan.n_input):
        if rep > 0:
            time.sleep(REST_S)
        try:
            seconds = _run_rep(plan, combination, lambda run, taken: writer.writerow([*combination, rep, run, taken]))
        except Exception as e:
            raise _TrialFailed('Encountered exception in trial on inputs {}:\n{}'.format(
                combination, render_exception(e))) from e
        # A night that is ended in the middle keeps the repetitions until then. Not after every row: that would
        # disturb the next timed call.
        file.flush()
        if seconds:
            means.append('{:.6f}'.format(sum(seconds) / len(seconds)))
    print(plan.method, plan.task_name, combination, means, flush=True)


def _run_rep(plan, combination, write_row):
    arguments = plan.setup(*combination)
    seconds = []
    for run in range(plan.dry_run + plan.times_per_input):
        start = time.perf_counter()
        plan.trial(*arguments)
        taken = time.perf_counter() - start
        if run >= plan.dry_run:
            write_row(run, taken)
            seconds.append(taken)
    plan.teardown(*arguments)
    return seconds
