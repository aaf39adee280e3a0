"""Reads the CSV files of trials and turns them into mean, median and population deviation."""

import csv
import math
import os
import sys

from common import check_file_exists, render_exception
from nightmark_numbers import mean, median, std

__all__ = ['lookup_data_file', 'obtain_data_rows', 'compute_summary_stats', 'summarize_over_reps',
           'trials_stat_summary', 'add_detailed_summary']


def lookup_data_file(data_prefix, filename):
    """The path of a file of the raw data; an exception if it is not there."""
    if not check_file_exists(data_prefix, filename):
        raise Exception('Could not find "{}"'.format(filename))
    return os.path.join(os.path.expanduser(data_prefix), filename)


def obtain_data_rows(data_dir, framework, task_name, parameter_names, params_to_match):
    """The rows of <framework>-<task_name>.csv whose parameters match, as dicts of texts.

    Columns go by their position; a header is recognised by its content, as a file that was only appended to has none."""
    path = lookup_data_file(data_dir, '{}-{}.csv'.format(framework, task_name))
    columns = list(parameter_names) + ['rep', 'run', 'time']
    wanted = _by_name(parameter_names, params_to_match)
    unknown = [name for name in wanted if name not in columns]
    if unknown:
        raise ValueError('there is no column {} among {}'.format(', '.join(map(str, unknown)), ', '.join(columns)))
    places = [(columns.index(name), str(value)) for name, value in wanted.items()]
    # A row that does not match is never kept: a table may have millions. Spreadsheets put a mark before the first column.
    with open(path, newline='', encoding='utf-8-sig') as file:
        return [dict(zip(columns, row)) for row in _whole_rows(csv.reader(file), columns, path)
                if all(row[place] == value for place, value in places)]


def compute_summary_stats(data, trait_name, trait_values, average_key='time', is_numeric=False):
    """{mean, median, std} of average_key over the rows whose trait is one of trait_values; NaN without any."""
    read = int if is_numeric else str
    values = [_number(row, average_key, float) for row in data
              if _number(row, trait_name, read) in trait_values]
    return {'mean': mean(values), 'median': median(values), 'std': std(values)}


def summarize_over_reps(data, num_reps):
    """The same over the first num_reps repetitions."""
    return compute_summary_stats(data, 'rep', range(num_reps), is_numeric=True)


def trials_stat_summary(data_dir, framework, task_name, num_reps, parameter_names, params_to_match):
    """(summary, True, 'success') of the rows that match, or (-1, False, what happened)."""
    try:
        data = obtain_data_rows(data_dir, framework, task_name, parameter_names, params_to_match)
        summary = summarize_over_reps(data, num_reps)
        if not all(math.isfinite(value) for value in summary.values()):
            raise ValueError(_why_not(data, num_reps))
        return summary, True, 'success'
    except Exception as e:
        return -1, False, 'Encountered exception on {}, {} using params {}:\n{}'.format(
            framework, task_name, params_to_match, render_exception(e))


def add_detailed_summary(report, detailed_summary, *fields):
    """Sets report['detailed'][fields[0]][fields[1]]..., and makes the levels on the way."""
    level = report.setdefault('detailed', {})
    for field in fields[:-1]:
        level = level.setdefault(field, {})
    level[fields[-1]] = detailed_summary


def _why_not(data, num_reps):
    if not data:
        return 'no row of the table has these values'
    if not any(int(row['rep']) < num_reps for row in data):
        return 'the {} rows with these values are all of later repetitions than the first {}'.format(len(data), num_reps)
    return 'among the times of the {} rows with these values is one that is not finite'.format(len(data))


def _by_name(parameter_names, params_to_match):
    return params_to_match if isinstance(params_to_match, dict) else dict(zip(parameter_names, params_to_match))


def _number(row, column, read):
    try:
        return read(row[column])
    except ValueError:
        raise ValueError('{} is not a number in the row {}'.format(column, ','.join(row.values())))


def _whole_rows(reader, columns, path):
    for row in reader:
        if row == columns or not row:
            continue
        if len(row) < len(columns):
            print('Left out line {} of {}: {} of {} columns'.format(reader.line_num, path, len(row), len(columns)),
                  file=sys.stderr)
            continue
        yield row
