"""Logs metrics of an experiment to Nightmark, Telegraf, InfluxDB: whatever takes line protocol.

    from nightmark_metrics import Metrics

    metrics = Metrics(tags={"seed": 3})
    metrics.log("loss", 0.46, step=10, tags={"split": "train"})
    metrics.parameter("lr", 0.1)
    metrics.progress(0.4)

One file, Python 3.8 or newer, standard library only: copy it or put its folder on PYTHONPATH. It never harms the
experiment: nothing raises, nothing waits, and a receiver that is not there costs nothing but the metrics; `counts`
says what became of them. Where to: NIGHTMARK_METRICS_URL (udp://HOST:PORT or http://HOST:PORT?db=NAME), else
JOBMONITOR_TELEGRAF_HOST and JOBMONITOR_TELEGRAF_PORT, else UDP to port 8092 of this machine.
"""

import atexit
import collections
import hashlib
import json
import os
import re
import shutil
import socket
import threading
import time
import urllib.error
import urllib.parse
import urllib.request

__all__ = ["Metrics", "TelegrafClient", "format_lines", "metric_id",
           "log_metric", "log_info", "log_image", "log_runtime"]

# Below what an Ethernet frame carries, so that no datagram is cut up; and what UDP over IPv4 can carry.
BATCH_BYTES = 1400
MAX_DATAGRAM_BYTES = 65507
HTTP_BATCH_BYTES = 256 * 1024
MAX_WAITING_LINES = 100000
DELAY_S = 0.1
RETRY_S = 1.0
FLUSH_S = 2.0
TIMEOUT_S = 10.0


# ---- line protocol ------------------------------------------------------------------------------------------------

def format_lines(measurement, fields, tags=None, timestamp=None):
    """The lines of a point, without line ends: none when no field is left, two when some values are not finite
    (servers refuse a line with one of those, and must not refuse its other fields with it)."""
    name = _escape(str(measurement), ", ")
    if name == "":
        return []
    head = ("\\" if name.startswith("#") else "") + name
    for key, value in _sorted(tags or {}):
        name, text = _escape(key, ",= "), "" if value is None else _escape(str(value), ",= ")
        if name != "" and text != "":
            head += ",%s=%s" % (name, text)
    finite, others = [], []
    for key, value in _sorted(fields):
        value = _plain(value)
        name = _escape(key, ",= ")
        if value is None or name == "":
            continue
        is_finite = not isinstance(value, float) or abs(value) < float("inf")  # nan is not
        (finite if is_finite else others).append("%s=%s" % (name, _value(value)))
    end = "" if timestamp is None else " %d" % timestamp
    return ["%s %s%s" % (head, ",".join(part), end) for part in (finite, others) if part]


def _sorted(values):
    return sorted(((str(key), value) for key, value in values.items()), key=lambda pair: pair[0])


def _escape(text, special):
    # Backslashes in front of a separator are made an even number, so that it is escaped for readers that take them in
    # pairs and for those that look at one character back, as InfluxDB does. What the protocol cannot say at all: a
    # backslash at the end, which is left out, and a line end, which becomes the two characters \n.
    text = re.sub(r"\r\n|\n|\r", r"\\n", text).rstrip("\\")

    def escape(found):
        slashes, separator = found.groups()
        return slashes + "\\" * (len(slashes) % 2) + "\\" + separator

    return re.sub(r"(\\*)([%s])" % special, escape, text)


def _plain(value):
    """Scalars of numpy, torch and the like as Python's own."""
    if isinstance(value, (bool, int, float, str)) or value is None:
        return value
    item = getattr(value, "item", None)
    if callable(item):
        try:
            return _plain_or_text(item())
        except (TypeError, ValueError, RuntimeError):
            pass  # more than one value
    return str(value)


def _plain_or_text(value):
    return value if isinstance(value, (bool, int, float, str)) or value is None else str(value)


def _value(value):
    if isinstance(value, bool):
        return "True" if value else "False"
    if isinstance(value, int):
        # Beyond 64 bits a server takes no integer; the nearest float says more than a refused line.
        return "%di" % value if -2 ** 63 <= value < 2 ** 63 else _big(value)
    if isinstance(value, float):
        return float.__repr__(value)
    return '"%s"' % str(value).replace("\\", "\\\\").replace('"', '\\"')


def _big(value):
    try:
        return repr(float(value))
    except OverflowError:
        return "inf" if value > 0 else "-inf"


def _encode(lines):
    return "".join(line + "\n" for line in lines).encode("utf-8", "replace")


# ---- ways to a receiver -------------------------------------------------------------------------------------------

class _Udp:
    batch_bytes = BATCH_BYTES
    line_bytes = MAX_DATAGRAM_BYTES
    can_retry = False

    def __init__(self, host, port):
        self._host, self._port, self._socket = host, port, None

    def send(self, data):
        try:
            if self._socket is None:
                family, kind, proto, _, address = socket.getaddrinfo(
                    self._host, self._port, 0, socket.SOCK_DGRAM)[0]
                opened = socket.socket(family, kind, proto)
                opened.connect(address)
                self._socket = opened
            try:
                self._socket.send(data)
            except ConnectionRefusedError:  # about an earlier datagram; this one was not sent yet
                self._socket.send(data)
            return "delivered", None, 0
        except (OSError, UnicodeError) as error:
            return "failed", str(error), None

    def __del__(self):
        if self._socket is not None:
            self._socket.close()


class _Http:
    batch_bytes = HTTP_BATCH_BYTES
    line_bytes = float("inf")
    can_retry = True

    def __init__(self, url, database, token):
        self._url = "%s/write?%s" % (url, urllib.parse.urlencode({"db": database, "precision": "ns"}))
        self._headers = {"Content-Type": "text/plain; charset=utf-8"}
        if token:
            self._headers["Authorization"] = "Bearer " + token

    def send(self, data):
        try:
            request = urllib.request.Request(self._url, data, self._headers)
            with urllib.request.urlopen(request, timeout=TIMEOUT_S):
                return "delivered", None, 0
        except urllib.error.HTTPError as error:
            # The lines themselves are refused by these only; a missing database or token, or a busy server, may pass.
            try:
                said = error.read(8 * HTTP_BATCH_BYTES).decode("utf-8", "replace")
            except Exception as reading:
                return "failed", str(reading), None
            message = ("%d %s" % (error.code, said))[:500]
            if error.code not in (400, 413, 422):
                return "failed", message, None
            told = error.headers.get("x-nightmark-refused-lines") or ""
            return "refused", message, int(told) if told.isdigit() else _refused_count(said)
        except Exception as error:  # of any kind: a library of the network must not end an experiment
            return "failed", str(error), None


def _refused_count(said):
    """How many lines a server did not take, by its reply; None: all. Of a partial write the others were stored."""
    try:
        said = json.loads(said)["error"]
    except (ValueError, KeyError, TypeError):
        return None
    if not str(said).startswith("partial write: "):
        return None
    dropped = re.search(r" dropped=(\d+)\s*\Z", said)
    not_parsed = len(re.findall(r"(?:\Apartial write: |\n)unable to parse '", said))
    return max(1, (int(dropped.group(1)) if dropped else 0) + not_parsed)


def _destination(url, token):
    parts = urllib.parse.urlsplit(re.sub(r"^udp:(?!//)", "udp://", url))
    if parts.scheme == "udp" and parts.hostname:
        return _Udp(parts.hostname, parts.port or 8092)
    if parts.scheme in ("http", "https") and parts.hostname:
        path = re.sub(r"/write$", "", parts.path.rstrip("/"))
        database = urllib.parse.parse_qs(parts.query).get("db", ["nightmark"])[0]
        return _Http("%s://%s%s" % (parts.scheme, parts.netloc, path), database, token)
    raise ValueError("there is no such address: %r" % url)


def _destination_from(env):
    url = env.get("NIGHTMARK_METRICS_URL")
    if not url:
        host = env.get("JOBMONITOR_TELEGRAF_HOST") or "127.0.0.1"
        url = "udp://%s:%s" % (host, env.get("JOBMONITOR_TELEGRAF_PORT") or 8092)
    return url


def _tags_from(env):
    tags = {}
    if env.get("NIGHTMARK_RUN_ID"):
        tags["run"] = env["NIGHTMARK_RUN_ID"]
    if env.get("NIGHTMARK_EXPERIMENT"):
        tags["experiment"] = env["NIGHTMARK_EXPERIMENT"]
    for pair in re.findall(r"(?:\\.|[^,\\]|\\\Z)+", env.get("NIGHTMARK_METRICS_TAGS") or ""):
        found = re.match(r"((?:\\.|[^=\\])+)=(.+)\Z", pair.strip(), re.DOTALL)
        if found:
            key, value = (re.sub(r"\\([,= \\])", r"\1", text) for text in found.groups())
            tags[key] = value
    return tags


# ---- the client ---------------------------------------------------------------------------------------------------

class Metrics:
    """Logs metrics. `counts` holds lines by their outcome: sent, invalid, dropped, and the last error."""

    def __init__(self, to=None, tags=None, token=None, output_dir=None, env=None):
        env = os.environ if env is None else env
        self._tags = dict(_tags_from(env), **(tags or {}))
        self._output_dir = output_dir or env.get("NIGHTMARK_OUTPUT_DIR") or "."
        self._counts = {"sent": 0, "invalid": 0, "dropped": 0, "last_error": None}
        self._last = 0
        self._sender = None
        try:
            self._sender = _destination(to or _destination_from(env), token or env.get("NIGHTMARK_TOKEN"))
        except ValueError as error:
            self._counts["last_error"] = str(error)
        self._start()
        atexit.register(self.flush)

    def _start(self):
        self._pid = os.getpid()
        self._lines = collections.deque()
        self._lock = threading.Lock()
        self._sending = threading.Lock()
        self._wake = threading.Event()
        self._thread = None

    def log(self, name, value, step=None, tags=None, timestamp=None):
        """One value, or a dict of fields with one timestamp. timestamp: int nanoseconds, float seconds, or a datetime."""
        try:
            if self._pid != os.getpid():  # a child process: threads did not come along, and the lines are the parent's
                self._start()
            fields = dict(value) if isinstance(value, dict) else {"value": value}
            if step is not None:
                fields["step"] = int(_plain(step))
            lines = format_lines(name, fields, dict(self._tags, **(tags or {})), self._moment(timestamp))
            if not lines:
                self._count("invalid", 1)
            self._add(lines)
        except Exception as error:
            self._invalid(error)

    def parameter(self, name, value):
        """A setting. Numbers go to one field and texts to another, so that types never clash."""
        try:
            plain = _plain(value)
            is_number = isinstance(plain, (int, float)) and not isinstance(plain, bool)
            if isinstance(plain, bool):
                plain = "true" if plain else "false"
            self.log("parameter", {"number": float(plain)} if is_number else {"text": str(plain)}, tags={"name": name})
        except Exception as error:
            self._invalid(error)

    def parameters(self, values):
        try:
            for name, value in dict(values).items():
                self.parameter(name, value)
        except Exception as error:
            self._invalid(error)

    def progress(self, share):
        """From 0 to 1."""
        try:
            share = float(share)
            self.log("progress", share if share != share else min(1.0, max(0.0, share)))
        except Exception as error:
            self._invalid(error)

    def text(self, name, value, step=None):
        try:
            self.log("text", str(value), step, {"name": name})
        except Exception as error:
            self._invalid(error)

    def image(self, name, picture, step=None):
        """Bytes, the path of a file, a figure of matplotlib or an image of PIL: goes to the output folder, and its
        path is reported."""
        try:
            self.log("image", {"path": self._image(name, picture, step)}, step, {"name": name})
        except Exception as error:
            self._invalid(error)

    @property
    def counts(self):
        return dict(self._counts, waiting=len(self._lines))

    def flush(self, timeout=FLUSH_S):
        """Waits until everything was sent, or could not be; at most two seconds."""
        try:
            if self._pid != os.getpid() or not self._lines and not self._sending.locked():
                return
            helper = threading.Thread(target=self._send_all, daemon=True)
            helper.start()
            helper.join(timeout)
        except Exception as error:  # threads cannot be started any more: the interpreter is ending
            self._counts["last_error"] = str(error)
            if self._sender is not None and not self._sender.can_retry:
                self._send_all()

    def close(self):
        self.flush()
        atexit.unregister(self.flush)

    def _count(self, what, lines):
        with self._lock:  # several threads may log
            self._counts[what] += lines

    def _invalid(self, error):
        self._count("invalid", 1)
        self._counts["last_error"] = str(error)

    def _moment(self, given):
        if given is None:
            # Never the same timestamp twice: a second point of a series with it would replace the first.
            with self._lock:
                self._last = max(self._last + 1, time.time_ns())
                return self._last
        if hasattr(given, "timestamp"):
            given = given.timestamp()
        return int(given * 1e6) * 1000 if isinstance(given, float) else int(given)

    def _add(self, lines):
        for line in lines:
            if self._sender is None or len(line.encode("utf-8", "replace")) + 1 > self._sender.line_bytes:
                self._count("dropped", 1)
                continue
            if len(self._lines) >= MAX_WAITING_LINES:
                self._lines.popleft()
                self._count("dropped", 1)
            self._lines.append(line)
        if self._thread is None and self._lines:
            with self._lock:
                if self._thread is None:
                    self._thread = threading.Thread(target=self._run, name="nightmark-metrics", daemon=True)
                    self._thread.start()
        self._wake.set()

    def _run(self):
        while True:
            self._wake.wait()
            self._wake.clear()
            time.sleep(DELAY_S)
            if not self._send_all():
                time.sleep(RETRY_S)
                self._wake.set()

    def _send_all(self):
        """False when a batch has to wait for better times."""
        with self._sending:
            while self._lines:
                batch = self._batch()
                if not batch:
                    return True
                state, message, refused = self._sender.send(_encode(batch))
                if state != "delivered":
                    self._counts["last_error"] = message
                if state == "failed" and self._sender.can_retry:
                    self._lines.extendleft(reversed(batch))
                    return False
                lost = len(batch) if refused is None else min(refused, len(batch))
                self._count("dropped", lost)
                self._count("sent", len(batch) - lost)
            return True

    def _batch(self):
        batch, size = [], 0
        while True:
            try:
                line = self._lines.popleft()
            except IndexError:
                return batch
            size += len(line.encode("utf-8", "replace")) + 1
            if batch and size > self._sender.batch_bytes:
                self._lines.appendleft(line)
                return batch
            batch.append(line)

    def _image(self, name, picture, step):
        root = os.path.abspath(self._output_dir)
        if isinstance(picture, (str, os.PathLike)):
            source = os.path.abspath(os.fspath(picture))
            if source.startswith(root + os.sep):
                return os.path.relpath(source, root)
            path = self._image_path(name, step, os.path.splitext(source)[1])
            shutil.copyfile(source, os.path.join(root, path))
        elif isinstance(picture, (bytes, bytearray, memoryview)):
            data = bytes(picture)
            path = self._image_path(name, step, _ending(data))
            with open(os.path.join(root, path), "wb") as file:
                file.write(data)
        else:
            path = self._image_path(name, step, ".png")
            save = getattr(picture, "savefig", None) or picture.save
            save(os.path.join(root, path))
        return path

    def _image_path(self, name, step, ending):
        safe = re.sub(r"^\.+", "_", re.sub(r"[^\w.-]+", "_", str(name)))[:100] or "_"
        os.makedirs(os.path.join(self._output_dir, "images"), exist_ok=True)
        return os.path.join("images", safe + ("" if step is None else "-%d" % step) + ending)


def _ending(data):
    for start, ending in ((b"\x89PNG", ".png"), (b"\xff\xd8", ".jpg"), (b"GIF8", ".gif"), (b"RIFF", ".webp"), (b"<", ".svg")):
        if data.startswith(start):
            return ending
    return ".bin"


def metric_id(measurement, tags=None, worker=None):
    """The id of a metric in Job Monitor; worker only where a job has several."""
    content = dict({"measurement": measurement}, **(tags or {}))
    if worker is not None:
        content["worker"] = worker
    return hashlib.md5(json.dumps(content, sort_keys=True).encode("utf-8")).hexdigest()


# ---- for those who used something else ----------------------------------------------------------------------------

class TelegrafClient:
    """Takes the calls of pytelegraf: one datagram for each, at once, without a time of our own. What pytelegraf would
    send as an invalid line is sent as a valid one."""

    def __init__(self, host="localhost", port=8094, tags=None):
        self.host, self.port, self.tags = host, port, tags or {}
        self._sender = _Udp(host, port)

    def metric(self, measurement_name, values, tags=None, timestamp=None):
        try:
            if values is None or values == {}:
                return
            fields = values if isinstance(values, dict) else {"value": values}
            moment = int(timestamp) if timestamp else None
            lines = format_lines(measurement_name, fields, dict(self.tags, **(tags or {})), moment)
            if lines:
                self._sender.send(_encode(lines))
        except Exception:
            pass  # as pytelegraf: a metric is not worth an experiment


_shared = None


def _metrics():
    global _shared
    if _shared is None:
        _shared = Metrics()
    return _shared


def log_metric(measurement, values, tags=None):
    """As a main script of Job Monitor calls it."""
    _metrics().log(measurement, values, tags=tags)


def log_info(values):
    """As a main script of Job Monitor calls it; "state.progress" is the progress."""
    metrics = _metrics()
    metrics.parameters({key: value for key, value in values.items() if key != "state.progress"})
    if "state.progress" in values:
        metrics.progress(values["state.progress"])


def log_image(key, path):
    _metrics().image(key, path)


def log_runtime(event, mean, std, instances):
    _metrics().log("runtime", {"mean": mean, "std": std, "instances": instances}, tags={"event": event})
