"""Submits jobs as scripts for the old job monitor do:

    package, names = upload_code_package(".", excludes=[".git", "*.pyc"])
    job_id = register_job(user="ada", project="sgd", experiment="rates", job="lr=0.1", n_workers=1, priority=10,
                          config_overrides={"lr": 0.1},
                          runtime_environment={"clone": {"code_package": package}, "script": "train.py"},
                          annotations={"description": "..."})

The queue is that of NIGHTMARK_HOME, else of the current folder. Further options of `nightmark job submit`, such as where
the jobs should run, come from NIGHTMARK_SUBMIT_OPTIONS: "--executor slurm --gpus 1 --time 2h".
"""

import json
import os
import shlex
import sys
import tempfile

from nightmark_job import _finite, _plain, log_image, log_info, log_metric, log_runtime  # noqa: F401

from jobmonitor.command import nightmark

_folders = {}


def upload_code_package(directory=".", excludes=()):
    """Stores the code of a folder: its id, and the names of the files in it."""
    stored = nightmark("job", "pack", os.path.abspath(directory), *["--exclude=%s" % pattern for pattern in excludes])
    _folders[stored["hash"]] = os.path.abspath(directory)
    return stored["hash"], ["./" + name for name in stored["names"]]


def register_job(user, project, experiment, job, n_workers=1, config_overrides=None, runtime_environment=None,
                 priority=1, annotations=None, config=None, environment=None):
    """Puts a job into the queue and returns its id. `config` and `environment` are other names of the two before."""
    place = runtime_environment or environment
    overrides = config_overrides if config_overrides is not None else config or {}
    if not place or not place.get("script") or not place.get("clone"):
        raise ValueError('a job needs runtime_environment={"clone": {"code_package": ID}, "script": FILE}')
    options = ["--user=%s" % user, "--project=%s" % project, "--experiment=%s" % experiment, "--name=%s" % job,
               "--workers=%d" % n_workers, "--priority=%d" % priority, "--script=%s" % place["script"]]
    options += _code(place["clone"])
    options += ["--annotate=%s=%s" % (key, json.dumps(_finite(_plain(value)))) for key, value in (annotations or {}).items()]
    options += shlex.split(os.environ.get("NIGHTMARK_SUBMIT_OPTIONS", ""))
    with tempfile.TemporaryDirectory(prefix="nightmark-") as folder:
        path = os.path.join(folder, "config.json")
        with open(path, "w", encoding="utf-8") as file:
            json.dump(_finite(_plain(dict(overrides))), file)
        return nightmark("job", "submit", "--config=" + path, *options)["ids"][0]


def _code(clone):
    package, path = clone.get("code_package"), clone.get("path")
    if package:
        folder = _folders.get(str(package))
        return ["--package=%s" % package] + (["--code=" + folder] if folder else [])
    if path:
        return ["--by-path", "--code=" + os.path.abspath(os.path.expandvars(path))]
    raise ValueError('"clone" has neither "code_package" nor "path"')


def kubernetes_schedule_job(*_args, **_options):
    _say_who_runs()


def kubernetes_schedule_job_queue(*_args, **_options):
    _say_who_runs()


_said = []


def _say_who_runs():
    if not _said:
        sys.stderr.write("nightmark: jobs that are registered wait in the queue; `nightmark job work` runs them. To have them "
                         'run elsewhere, set NIGHTMARK_SUBMIT_OPTIONS, e.g. "--executor kubernetes --image NAME --gpus 1".\n')
        _said.append(True)
