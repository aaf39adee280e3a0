"""Draws chart descriptions with `nightmark chart`: no plotting package is needed."""

import contextlib
import json
import os
import shlex
import shutil
import subprocess
import tempfile

__all__ = ['draw', 'drawn_together', 'nightmark_command']

# Charts that wait to be drawn together; None: each is drawn at once.
_waiting = None


def draw(spec, path):
    """Draws a description into a file, at once or at the end of drawn_together(). RuntimeError if it cannot."""
    if _waiting is None:
        with _temporary('chart.json', json.dumps(spec, allow_nan=False)) as file:
            _chart(file, '-o', os.path.abspath(path))
    else:
        _waiting.append({'spec': spec, 'output': os.path.abspath(path)})


@contextlib.contextmanager
def drawn_together():
    """What is drawn inside comes out at the end, by one process: a hundred graphs wait for one start."""
    global _waiting
    if _waiting is not None:
        yield
        return
    _waiting = []
    try:
        yield
    finally:
        charts, _waiting = _waiting, None
        if charts:
            lines = ''.join(json.dumps(chart, allow_nan=False) + '\n' for chart in charts)
            with _temporary('charts.ndjson', lines) as file:
                _chart('--batch', file)


def nightmark_command():
    """How to start nightmark, as a list of arguments: $NIGHTMARK, else the package around this kit, else the PATH."""
    given = os.environ.get('NIGHTMARK', '')
    if given:
        return [given] if os.path.exists(given) else shlex.split(given)
    kit = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    if os.path.exists(os.path.join(kit, '..', 'dist', 'src', 'cli', 'main.js')) and shutil.which('node'):
        return ['sh', os.path.join(kit, 'bin', 'nightmark')]
    found = shutil.which('nightmark')
    if found:
        return [found]
    raise RuntimeError('Graphs are drawn by the command nightmark, which cannot be found: put it on the PATH, '
                       'or name it in the environment variable NIGHTMARK.')


def _chart(*arguments):
    command = nightmark_command()
    try:
        done = subprocess.run(command + ['chart', *arguments], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT)
    except OSError as error:
        raise RuntimeError('Graphs are drawn by the command {}, which cannot be started: {}'.format(
            ' '.join(command), error)) from error
    if done.returncode != 0:
        said = done.stdout.decode('utf-8', 'replace').strip()
        raise RuntimeError('{} chart failed with exit code {}: {}'.format(' '.join(command), done.returncode, said))


@contextlib.contextmanager
def _temporary(name, text):
    with tempfile.TemporaryDirectory(prefix='nightmark-chart-') as folder:
        path = os.path.join(folder, name)
        with open(path, 'w', encoding='utf-8') as file:
            file.write(text)
        yield path
