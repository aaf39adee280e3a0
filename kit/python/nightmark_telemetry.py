"""Recorded telemetry as rows that can be drawn: elapsed seconds as numbers, values as text."""

import math

__all__ = ['process_cpu_telemetry', 'process_gpu_telemetry']


def process_cpu_telemetry(stat):
    """[timestamp, (group, 'group_label', '', rows), ...] of a cpu-<ts>.json."""
    found = [stat['timestamp']]
    for group, labels in stat.items():
        if group != 'timestamp' and isinstance(labels, dict):
            found += [(group, '{}_{}'.format(group, label), '', _rows(rows)) for label, rows in labels.items()]
    return found


def process_gpu_telemetry(stat):
    """[timestamp, ('GPU', field, unit, rows), ...] of a gpu-<ts>.json."""
    fields = [('GPU', field, entry.get('unit'), _rows(entry.get('data', []))) for field, entry in stat.items()
              if isinstance(entry, dict)]
    return [stat['timestamp']] + fields


def _rows(stored):
    """Without readings that are not a number (alarm, n/a), without rows that a recorder did not end, and without the first one where it was recorded twice."""
    rows = [[float(row[0]), str(row[1])] for row in stored if len(row) == 2 and _is_elapsed(row[0])]
    if len(rows) > 1 and rows[0][0] == rows[1][0]:
        rows = rows[1:]
    return [row for row in rows if any(character.isdigit() for character in row[1])]


def _is_elapsed(value):
    try:
        return math.isfinite(float(value))
    except (TypeError, ValueError):
        return False
