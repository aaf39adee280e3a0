"""JSON files that are always valid and always whole: a reader never meets half of one."""

import json
import math
import os

__all__ = ['read_json', 'write_json', 'write_text', 'idemp_mkdir', 'prepare_out_file', 'check_file_exists']


def read_json(dirname, filename):
    """The parsed content of a file; the usual exceptions if it is absent or no JSON."""
    with open(os.path.join(os.path.expanduser(dirname), filename), encoding='utf-8') as file:
        return json.load(file)


def write_json(dirname, filename, obj):
    """Writes an object on one line. Folders are made; NaN and infinite numbers, which JSON lacks, become null."""
    write_text(prepare_out_file(os.path.expanduser(dirname), filename), _dumps(obj))


def write_text(path, text):
    """Writes a file beside its place and then renames it."""
    folder, name = os.path.split(path)
    temporary = os.path.join(folder, '.{}.{}'.format(name[:200], os.getpid()))
    try:
        with open(temporary, 'w', encoding='utf-8', newline='') as file:
            file.write(text)
        os.replace(temporary, path)
    except BaseException:
        if os.path.lexists(temporary):
            os.remove(temporary)
        raise


def idemp_mkdir(dirname):
    """Makes a folder and those above it, unless it is there."""
    os.makedirs(dirname, exist_ok=True)


def prepare_out_file(dirname, filename):
    """The path of a file whose folder is there afterwards; the name may hold folders."""
    path = os.path.join(dirname, filename)
    if os.path.dirname(path):
        idemp_mkdir(os.path.dirname(path))
    return path


def check_file_exists(dirname, filename):
    """Whether there is such a regular file."""
    return os.path.isfile(os.path.join(os.path.expanduser(dirname), filename))


def _dumps(obj):
    try:
        return json.dumps(obj, allow_nan=False, default=_plain)
    except ValueError:
        return json.dumps(_finite(obj), allow_nan=False)


def _plain(value):
    """numpy's numbers and arrays, and sets, as JSON knows them."""
    if isinstance(value, (set, frozenset)):
        return list(value)
    if hasattr(value, 'tolist'):
        return value.tolist()
    raise TypeError('Object of type {} is not JSON serializable'.format(type(value).__name__))


def _finite(value):
    if isinstance(value, dict):
        return {key: _finite(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [_finite(item) for item in value]
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if value is None or isinstance(value, (str, int)):
        return value
    return _finite(_plain(value))
