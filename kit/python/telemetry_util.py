"""Starts the recorder of telemetry beside a run and turns what it wrote into JSON files."""

import os
import subprocess

from common import write_json

__all__ = ['start_telemetry', 'parse_cpu_stat', 'parse_gpu_stat', 'process_telemetry_statistics']


def start_telemetry(script_dir, exp_name, run_cpu_telemetry, run_gpu_telemetry, output_dir, interval=15):
    """The process of script_dir/run.py, which records every `interval` seconds; None if that is not above 0."""
    if interval <= 0:
        return None
    options = {'exp-name': exp_name, 'interval': interval, 'run-cpu-telemetry': bool(run_cpu_telemetry),
               'run-gpu-telemetry': bool(run_gpu_telemetry), 'output-dir': output_dir}
    words = ['--{}={}'.format(name, value) for name, value in options.items()]
    return subprocess.Popen(['python3', os.path.join(script_dir, 'run.py'), *words], stdout=subprocess.PIPE)


def parse_cpu_stat(dirname, time_str):
    """{timestamp, group: {label: [(elapsed, value), ...]}} of files with lines `elapsed label value`."""
    stat = {'timestamp': time_str}
    for name, lines in _files(dirname):
        labels = stat.setdefault(name, {})
        for elapsed, *label, value in lines:
            if label:
                labels.setdefault(' '.join(label), []).append((elapsed, value))
    return stat


def parse_gpu_stat(dirname, time_str):
    """{timestamp, field: {data: [(elapsed, value), ...], unit}} of files with lines `elapsed value [unit]`."""
    stat = {'timestamp': time_str}
    for name, lines in _files(dirname):
        unit = lines[0][2] if lines and len(lines[0]) > 2 else None
        stat[name] = {'data': [(words[0], words[1]) for words in lines], 'unit': unit}
    return stat


def process_telemetry_statistics(info, exp_name, output_dir, time_str, cpu_stat_parser=parse_cpu_stat,
                                 gpu_stat_parser=parse_gpu_stat):
    """Writes what was recorded of an experiment to cpu-<time>.json and gpu-<time>.json of the home."""
    recorded = os.path.join(output_dir, 'telemetry', exp_name)
    kept = info.subsys_telemetry_dir(exp_name)
    for kind, parse in (('cpu', cpu_stat_parser), ('gpu', gpu_stat_parser)):
        stat = parse(os.path.join(recorded, kind), time_str)
        write_json(os.path.join(kept, kind), '{}-{}.json'.format(kind, time_str), stat)


def _files(dirname):
    """(name, lines as lists of words) of each file. The recorder is killed, so its last line may lack its value."""
    if not os.path.isdir(dirname):
        return
    for name in sorted(os.listdir(dirname)):
        path = os.path.join(dirname, name)
        if os.path.isfile(path):
            with open(path, encoding='utf-8', errors='replace') as file:
                lines = [line.split() for line in file]
            yield name, [words for words in lines if len(words) >= 2]
