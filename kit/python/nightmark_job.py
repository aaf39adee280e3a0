"""Runs a Python script as a job of Nightmark, and lets any program report to its job.

    python3 nightmark_job.py SCRIPT       what a worker starts for `nightmark job submit --script SCRIPT`

    from nightmark_job import log_metric, log_info, log_image, log_runtime, output_dir, barrier

A script has a dict `config` and a function `main()`; it finds the functions above as its own. Whatever else runs as a job
imports them. One file, Python 3.8 or newer, standard library only. Nothing here harms the experiment: outside a job the
functions do nothing, inside they append a line to a file, and what cannot be reported is left out, with one warning on stderr.
"""

import collections.abc
import hashlib
import importlib.machinery
import importlib.util
import json
import math
import os
import re
import shutil
import signal
import sys
import threading
import time
import traceback
import urllib.parse

__all__ = ["log_metric", "log_info", "log_image", "log_runtime", "log_config", "barrier", "metric_id",
           "output_dir", "rank", "n_workers", "job_id"]

# The reader takes no longer lines; and a text of an exception that long helps nobody.
MAX_EVENT_BYTES = 4 * 1024 * 1024 - 1
MAX_TEXT = 256 * 1024
MAX_DEPTH = 50


def _whole(name, default):
    text = os.environ.get(name, "")
    return int(text) if re.fullmatch(r"\d{1,9}", text) else default


output_dir = os.environ.get("NIGHTMARK_OUTPUT_DIR") or "."
rank = _whole("NIGHTMARK_RANK", 0)
n_workers = max(1, _whole("NIGHTMARK_WORKERS", 1))
job_id = os.environ.get("NIGHTMARK_JOB_ID")


# ---- what a job can report ----------------------------------------------------------------------------------------

def log_metric(measurement, values, tags=None):
    """A number, or a dict of fields with one timestamp: log_metric("loss", {"epoch": 3, "value": 0.46}, {"split": "train"})."""
    def event():
        given = values if isinstance(values, collections.abc.Mapping) else {"value": values}
        fields = {}
        for key, value in given.items():
            value = _plain(value)
            while isinstance(value, list) and len(value) == 1:  # a tensor of one value
                value = value[0]
            if isinstance(value, (bool, int, float, str)):
                fields[str(key)] = value
            elif value is not None:
                _tell("log_metric(%r): %r is not a number; it is left out" % (measurement, key))
        named = {str(key): _plain(value) for key, value in (tags or {}).items()}
        if not fields:
            return None
        worker = rank if n_workers > 1 else None
        return {"type": "metric", "measurement": str(measurement), "fields": fields, "tags": named,
                "time": _moment(), "id": metric_id(str(measurement), named, worker)}
    _log("log_metric", event)


def log_info(values):
    """Facts of the job. Dots lead into objects; "state.progress" from 0 to 1 is its progress."""
    _log("log_info", lambda: {"type": "info", "values": _plain(dict(values))})


def log_image(key, path):
    """A picture by its file. A relative path is one below the output folder, else one below the current folder; a file
    that lies outside the output folder is copied into it."""
    _log("log_image", lambda: {"type": "image", "key": str(key), "path": _image_path(str(key), os.fspath(path))})


def log_runtime(event, mean, std, instances):
    """How long a part of the program takes, in seconds: mean and standard deviation of so many times."""
    _log("log_runtime", lambda: {"type": "runtime", "event": str(event), "mean": _plain(mean), "std": _plain(std),
                                 "instances": _plain(instances)})


def log_config(config):
    """What the program truly ran with, instead of what was submitted; scripts need not call it."""
    _log("log_config", lambda: {"type": "config", "config": _plain(_items(config))})


def barrier(name="barrier", timeout=None):
    """Waits until all workers of the job came here; each name may be used again and again. It needs an output folder that
    all of them see. TimeoutError after so many seconds."""
    if not os.environ.get("NIGHTMARK_JOB_EVENTS") or n_workers == 1:
        return
    count = _passed[name] = _passed.get(name, 0) + 1
    folder = os.path.join(output_dir, ".barriers", "%s-%s-%d" % (
        os.environ.get("NIGHTMARK_RUN_ID", "run"), urllib.parse.quote(str(name), safe="")[:150], count))
    os.makedirs(folder, exist_ok=True)
    open(os.path.join(folder, str(rank)), "w").close()
    started, pause = time.monotonic(), 0.01
    while len(os.listdir(folder)) < n_workers:
        if timeout is not None and time.monotonic() - started > timeout:
            raise TimeoutError("not all %d workers came to the barrier %r within %g s" % (n_workers, name, timeout))
        time.sleep(pause)
        pause = min(0.5, pause * 1.5)


_passed = {}


def metric_id(measurement, tags=None, worker=None):
    """The id of a metric in Job Monitor; worker only where a job has several."""
    content = dict({"measurement": measurement}, **(tags or {}))
    if worker is not None:
        content["worker"] = worker
    return hashlib.md5(json.dumps(content, sort_keys=True).encode("utf-8")).hexdigest()


# ---- the file of events -------------------------------------------------------------------------------------------

def _log(call, make):
    """Appends the event that `make` gives. Never raises."""
    path = os.environ.get("NIGHTMARK_JOB_EVENTS")
    if not path:
        return
    try:
        event = make()
        if event is not None:
            _append(path, event)
    except Exception as error:
        _tell("%s: %s: %s; it is left out" % (call, type(error).__name__, error))


def _append(path, event):
    data = (json.dumps(_finite(event), separators=(",", ":"), allow_nan=False) + "\n").encode("ascii")
    if len(data) > MAX_EVENT_BYTES:
        raise ValueError("%d bytes are too much for one event" % len(data))
    # Opened for each event: nothing is left open for children, and a file that was moved does not get it. One write
    # at the end of the file, so that threads and children never mix their lines.
    file = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT | getattr(os, "O_NONBLOCK", 0), 0o644)
    try:
        written = os.write(file, data)
        if written < len(data):
            os.write(file, b"\n")  # the disk is full; the next event begins a line of its own
            raise OSError("only %d of %d bytes could be written" % (written, len(data)))
    finally:
        os.close(file)


def _finite(value):
    """JSON cannot express what is not finite."""
    if isinstance(value, float) and not math.isfinite(value):
        return "nan" if value != value else "inf" if value > 0 else "-inf"
    if isinstance(value, dict):
        return {key: _finite(item) for key, item in value.items()}
    return [_finite(item) for item in value] if isinstance(value, list) else value


def _plain(value, depth=0):
    """A value as JSON knows it: scalars and arrays of numpy, torch and the like too. Whatever else becomes text."""
    if value is None or type(value) in (bool, int, float, str):
        return value
    if isinstance(value, (bool, int, float, str)):  # kinds of our own, numpy.float64 and members of enums among them
        kind = next(kind for kind in (bool, int, float, str) if isinstance(value, kind))
        return kind.__str__(value) if kind is str else kind(value)
    if depth > MAX_DEPTH:
        _tell("a value is nested too deeply; it is cut off")
        return "..."
    if isinstance(value, collections.abc.Mapping):
        return {str(key): _plain(item, depth + 1) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [_plain(item, depth + 1) for item in value]
    if isinstance(value, (set, frozenset)):
        return sorted((_plain(item, depth + 1) for item in value), key=repr)
    for name in ("tolist", "item"):
        try:
            inner = getattr(value, name)()
        except Exception:  # has none of it
            continue
        if type(inner) is not type(value):
            return _plain(inner, depth + 1)
    if isinstance(value, os.PathLike):
        return str(value)
    text = _repr(value)
    _tell("a %s cannot be kept as a value; it is reported as text" % type(value).__name__)
    return text


def _repr(value):
    try:
        return repr(value)[:MAX_TEXT]
    except Exception:
        return "<%s>" % type(value).__name__


_lock = threading.Lock()
_last = 0.0
_told = set()


def _moment():
    """Seconds since 1970, never the same twice: a second point of a series with the same timestamp would replace the first."""
    global _last
    with _lock:
        _last = max(time.time(), _last + 2e-6)
        return _last


def _tell(message):
    """Once: a loop of a million steps has nothing new to say."""
    try:
        if message in _told or len(_told) > 100:
            return
        _told.add(message)
        sys.stderr.write("nightmark: %s\n" % message[:2000])
    except Exception:
        pass  # stderr is closed


def _image_path(key, path):
    root = os.path.realpath(output_dir)
    if not os.path.isabs(path):
        if os.path.exists(os.path.join(root, path)) or not os.path.exists(path):
            path = os.path.join(root, path)
    inside = os.path.relpath(os.path.realpath(path), root)
    if inside != os.pardir and not inside.startswith(os.pardir + os.sep):
        return inside
    safe = re.sub(r"^\.+", "_", re.sub(r"[^\w.-]+", "_", key))[:100] or "_"
    os.makedirs(os.path.join(root, "images"), exist_ok=True)
    inside = os.path.join("images", safe + os.path.splitext(path)[1])
    shutil.copyfile(path, os.path.join(root, inside))
    return inside


# ---- configuration ------------------------------------------------------------------------------------------------

def lay_over(config, overrides):
    """Puts overrides into a dict-like configuration: objects key by key, everything else in the place of what was there.
    JSON knows fewer types than Python, so a value that stands for a float or a tuple becomes one again."""
    for key, value in overrides.items():
        known = key in config
        old = config[key] if known else None
        if isinstance(value, dict) and isinstance(old, collections.abc.MutableMapping):
            lay_over(old, value)
        elif isinstance(value, dict) and not known and _has_dotted(config, key):
            # `--set optimizer.lr=1` of a script whose keys have dots themselves.
            for inner, item in value.items():
                lay_over(config, {"%s.%s" % (key, inner): item})
        else:
            config[key] = _like(value, old)


def _has_dotted(config, key):
    return any(isinstance(name, str) and name.startswith(key + ".") for name in config)


def _like(value, old):
    if type(old) is float and type(value) is int:
        return float(value)
    if type(old) is float and value in ("nan", "inf", "-inf"):
        return float(value)
    return tuple(value) if type(old) is tuple and type(value) is list else value


def to_yaml(value, indent=""):
    """Plain YAML that every reader takes for the same values, those of YAML 1.1 too."""
    lines = []
    for key, item in value.items() if isinstance(value, dict) else enumerate(value):
        head = indent + ("%s:" % _yaml_text(key) if isinstance(value, dict) else "-")
        if isinstance(item, (dict, list)) and item:
            lines.append("%s\n%s" % (head, to_yaml(item, indent + "  ")))
        else:
            lines.append("%s %s\n" % (head, _yaml_scalar(item)))
    return "".join(lines) or indent + ("{}\n" if isinstance(value, dict) else "[]\n")


def _yaml_scalar(value):
    if isinstance(value, (dict, list)):
        return "{}" if isinstance(value, dict) else "[]"
    if value is None or isinstance(value, bool):
        return json.dumps(value)
    if isinstance(value, float):
        if not math.isfinite(value):
            return ".nan" if value != value else ".inf" if value > 0 else "-.inf"
        text = repr(value)  # 1e-05 is a text in YAML 1.1: it wants the point
        return text if "." in text else text.replace("e", ".0e")
    return str(value) if isinstance(value, int) else _yaml_text(value)


_YAML_WORDS = {"true", "false", "yes", "no", "on", "off", "y", "n", "null", "nan", "inf"}


def _yaml_text(text):
    if re.fullmatch(r"[A-Za-z_][A-Za-z0-9_./-]*", text) and text.lower() not in _YAML_WORDS:
        return text
    escaped = json.dumps(text, ensure_ascii=False)
    return re.sub("[\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff\ud800-\udfff]", _yaml_escape, escaped)


def _yaml_escape(found):
    letter = found.group()
    return "\ufffd" if "\ud800" <= letter <= "\udfff" else "\\u%04x" % ord(letter)


# ---- a script as a job --------------------------------------------------------------------------------------------

class _Stopped(SystemExit):
    """Somebody sent a signal. No Exception: a script that catches those must not go on."""

    def __init__(self, number):
        super().__init__(128 + number)
        self.name = signal.Signals(number).name


def run(script):
    """Runs a script as a job; the exit code it should end with."""
    pid = os.getpid()
    _listen(pid)
    try:
        module = _load(script)
        _configure(module)
        main = getattr(module, "main", None)
        if not callable(main):
            raise AttributeError("%s has no function main(): a job calls it" % script)
        main()
        return 0
    except (SystemExit, KeyboardInterrupt) as end:
        if os.getpid() != pid:
            raise  # a child that the script forked
        if isinstance(end, SystemExit) and not isinstance(end, _Stopped):
            raise
        name = getattr(end, "name", "SIGINT")
        sys.stderr.write("nightmark: cancelled by %s\n" % name)
        _log("cancel", lambda: {"type": "cancelled", "signal": name})
        return 128 + int(signal.Signals[name])
    except Exception as error:
        if os.getpid() != pid:
            raise
        return _report(error)


def _listen(pid):
    def stop(number, _frame):
        if os.getpid() != pid:  # a child that was forked ends as it would without us
            signal.signal(number, signal.SIG_DFL)
            os.kill(os.getpid(), number)
            return
        signal.signal(number, lambda *_: None)  # once: what the script does at its end is not disturbed again
        raise _Stopped(number)

    signal.signal(signal.SIGTERM, stop)


def _load(script):
    code = os.getcwd()
    path = os.path.abspath(script)
    own = os.path.dirname(os.path.abspath(__file__))
    # In the place of our own folder, which goes to the end: `import nightmark_job` finds it, and it hides nothing.
    others = [entry for entry in sys.path if os.path.abspath(entry) not in (own, code)]
    folder = [os.path.dirname(path)] if os.path.dirname(path) != code else []
    sys.path[:] = [code] + folder + others + [own]
    sys.argv[:] = [path]
    if not os.path.isfile(path):
        raise FileNotFoundError("there is no script %s in the code of this job" % script)
    name = os.path.splitext(os.path.basename(path))[0]
    loader = importlib.machinery.SourceFileLoader(name, path)
    spec = importlib.util.spec_from_file_location(name, path, loader=loader)
    module = importlib.util.module_from_spec(spec)
    # For pickle and for modules that import the script; what is loaded already, such as "json", stays what it is.
    sys.modules.setdefault(name, module)
    for key in ("log_info", "log_image", "log_metric", "log_runtime", "output_dir"):
        setattr(module, key, globals()[key])
    loader.exec_module(module)
    return module


def _configure(module):
    config = getattr(module, "config", None)
    if config is None:
        config = module.config = {}
    if not hasattr(config, "__setitem__") and hasattr(config, "__dict__"):
        config = vars(config)  # as argparse has it
    lay_over(config, _overrides())
    config["rank"] = rank
    config["n_workers"] = n_workers
    config["distributed_init_file"] = os.path.join(output_dir, "dist_init")
    # Again: a script may have functions of these names for when it runs alone.
    for key in ("log_info", "log_image", "log_metric", "log_runtime", "output_dir"):
        setattr(module, key, globals()[key])
    if rank == 0:
        log_config(config)
        _write_config(config)


def _items(config):
    return {key: config[key] for key in config}


def _overrides():
    path = os.environ.get("NIGHTMARK_JOB_CONFIG")
    if not path:
        return {}
    with open(path, encoding="utf-8") as file:
        return json.load(file)


def _write_config(config):
    if not os.environ.get("NIGHTMARK_OUTPUT_DIR"):
        return
    try:
        path = os.path.join(output_dir, "config.yml")
        with open(path + ".part", "w", encoding="utf-8") as file:
            file.write(to_yaml(_plain(_items(config))))
        os.replace(path + ".part", path)
    except Exception as error:
        _tell("config.yml could not be written: %s" % error)


def _report(error):
    frames = error.__traceback__
    # What this file and the importer did before the script came in helps nobody.
    while frames is not None and re.match(r"<frozen importlib|" + re.escape(_report.__code__.co_filename),
                                          frames.tb_frame.f_code.co_filename):
        frames = frames.tb_next
    try:
        text = "".join(traceback.format_exception(type(error), error, frames))
    except Exception:  # an exception whose own text fails
        text = "%s\n" % _repr(error)
    sys.stdout.flush()
    sys.stderr.write(text)
    cut = text if len(text) <= MAX_TEXT else "%s\n...\n%s" % (text[:MAX_TEXT // 2], text[-MAX_TEXT // 2:])
    _log("exception", lambda: {"type": "exception", "exception": _repr(error), "traceback": cut})
    return 1


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit("usage: python3 nightmark_job.py SCRIPT")
    # So that a script which imports these functions gets the ones of this process.
    sys.modules["nightmark_job"] = sys.modules["__main__"]
    sys.exit(run(sys.argv[1]))
