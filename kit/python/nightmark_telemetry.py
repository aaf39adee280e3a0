"""Recorded telemetry as rows that can be drawn: elapsed seconds as numbers, values as text."""

__all__ = ['process_cpu_telemetry', 'process_gpu_telemetry']


def process_cpu_telemetry(stat):
    """[timestamp, (group, 'group_label', '', rows), ...] of a cpu-<ts>.json."""
    found = [stat['timestamp']]
    for group, labels in stat.items():
        if group != 'timestamp':
            found += [(group, '{}_{}'.format(group, label), '', _rows(rows)) for label, rows in labels.items()]
    return found


def process_gpu_telemetry(stat):
    """[timestamp, ('GPU', field, unit, rows), ...] of a gpu-<ts>.json."""
    fields = [('GPU', field, entry['unit'], _rows(entry['data'])) for field, entry in stat.items()
              if field != 'timestamp']
    return [stat['timestamp']] + fields


def _rows(stored):
    """Without readings that are no number (alarm, n/a), and without the first one where it was recorded twice."""
    rows = [[float(elapsed), str(value)] for elapsed, value in stored]
    if len(rows) > 1 and rows[0][0] == rows[1][0]:
        rows = rows[1:]
    return [row for row in rows if any(character.isdigit() for character in row[1])]
