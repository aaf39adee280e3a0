"""What every stage script needs: options, status files, JSON files, timestamps and the data of earlier nights.

    from common import invoke_main, read_config, write_status

    def main(config_dir, output_dir):
        config = read_config(config_dir)
        write_status(output_dir, True, 'success')

    if __name__ == '__main__':
        invoke_main(main, 'config_dir', 'output_dir')
"""

import argparse
import datetime
import functools
import json
import os
import sys
import traceback

from nightmark_json import check_file_exists, idemp_mkdir, prepare_out_file, read_json, write_json
from nightmark_ordered_set import OrderedSet
from nightmark_telemetry import process_cpu_telemetry, process_gpu_telemetry

__all__ = ['invoke_main', 'write_status', 'write_summary', 'write_json', 'read_json', 'read_config', 'validate_json',
           'idemp_mkdir', 'prepare_out_file', 'check_file_exists', 'sort_data', 'gather_stats', 'traverse_fields',
           'get_timestamp', 'parse_timestamp', 'time_difference', 'render_exception', 'print_log',
           'process_cpu_telemetry', 'process_gpu_telemetry']

TIME_FORMAT = '%m-%d-%Y-%H%M'

# What a night adds to the data of an experiment: no measurement.
METADATA = frozenset(['timestamp', 'tvm_hash', 'detailed', 'start_time', 'end_time', 'time_delta', 'success',
                      'run_cpu_telemetry', 'run_gpu_telemetry'])


def invoke_main(main_func, *arg_names):
    """Calls main_func with the options of the command line, `--arg-name` for arg_name, and exits with its result."""
    parser = argparse.ArgumentParser()
    for name in arg_names:
        parser.add_argument('--' + name.replace('_', '-'), dest=name, required=True, type=str)
    options = vars(parser.parse_args())
    sys.exit(main_func(*[options[name] for name in arg_names]))


def write_status(output_dir, success, message):
    """Leaves status.json, by which a night knows how a stage ended."""
    write_json(output_dir, 'status.json', {'success': success, 'message': message})


def write_summary(output_dir, title, value):
    """Leaves summary.json, which reports show."""
    write_json(output_dir, 'summary.json', {'title': title, 'value': value})


def read_config(dirname):
    """The parsed config.json of a folder."""
    return read_json(dirname, 'config.json')


def validate_json(dirname, *fields, filename='status.json'):
    """The parsed file, or a failed status that says what is wrong with it."""
    if not check_file_exists(dirname, filename):
        return _failed('No {} in {}'.format(filename, dirname))
    try:
        parsed = read_json(dirname, filename)
    except (ValueError, RecursionError):
        return _failed('Failed to parse {} in {}'.format(filename, dirname))
    for field in fields:
        if not isinstance(parsed, dict) or field not in parsed:
            return _failed("{} in {} has no '{}' field".format(filename, dirname, field))
    return parsed


def sort_data(data_dir):
    """The data of all nights, oldest first. What is not data is left out, with a warning on stderr."""
    folder = os.path.expanduser(data_dir)
    if not os.path.isdir(folder):
        return []
    dated = []
    # Short names first: the second night of one minute is data_<ts>-2.json, and follows the first.
    for name in sorted(os.listdir(folder), key=lambda name: (len(name), name)):
        try:
            entry = _read_entry(folder, name)
            dated.append((parse_timestamp(entry), entry))
        except (OSError, ValueError, RecursionError) as error:
            print('Left out {}: {}'.format(os.path.join(folder, name), error), file=sys.stderr)
    return [entry for _, entry in sorted(dated, key=lambda pair: pair[0])]


def gather_stats(sorted_data, fields):
    """(values, datetimes) of the entries that have something at entry[fields[0]][fields[1]]..."""
    values, times = [], []
    for entry in sorted_data:
        value = entry
        for field in fields:
            if not isinstance(value, dict) or field not in value:
                break
            value = value[field]
        else:
            values.append(value)
            times.append(parse_timestamp(entry))
    return values, times


def traverse_fields(entry, ignore_fields=None):
    """The keys of each level of nesting, all branches together, without what a night adds itself.

    ignore_fields replaces the ignored keys of the top level only."""
    ignored = METADATA if ignore_fields is None else set(ignore_fields)
    level = OrderedSet(field for field in entry if field not in ignored)
    below = []
    for field in level:
        if not isinstance(entry[field], dict):
            continue
        for depth, fields in enumerate(traverse_fields(entry[field])):
            if depth == len(below):
                below.append(OrderedSet())
            below[depth].update(fields)
    return [level] + below


def get_timestamp():
    """Now, in local time, as the nights are named."""
    return datetime.datetime.now().strftime(TIME_FORMAT)


def parse_timestamp(entry):
    """The datetime of an entry's `timestamp`; ValueError if it is malformed."""
    return _moment(entry['timestamp'])


def time_difference(entry1, entry2):
    """How much later the first entry is than the second. `.days` of it floors: a minute earlier is -1."""
    return parse_timestamp(entry1) - parse_timestamp(entry2)


def render_exception(e):
    """The traceback of an exception as text."""
    return ''.join(traceback.format_exception(type(e), e, e.__traceback__)).rstrip('\n')


def print_log(msg, dec_char='*'):
    """Prints a message between two lines of dec_char."""
    line = dec_char * (max(len(text) for text in msg.split('\n')) + 4)
    print('\n'.join([line, msg, line]), flush=True)


@functools.lru_cache(maxsize=None)
def _moment(text):
    # Remembered: the history of a hundred values asks for the same nights a hundred times.
    return datetime.datetime.strptime(text, TIME_FORMAT)


def _failed(message):
    return {'success': False, 'message': message}


def _read_entry(folder, name):
    if not os.path.isfile(os.path.join(folder, name)):
        raise ValueError('it is not a file')
    if not name.endswith('.json'):
        raise ValueError('it is not a JSON file')
    try:
        entry = read_json(folder, name)
    except json.JSONDecodeError as error:
        raise ValueError('it does not parse: {}'.format(error))
    if not isinstance(entry, dict) or not isinstance(entry.get('timestamp'), str):
        raise ValueError('it has no timestamp')
    return entry
