"""What submit scripts query in the old database: whether a job exists already.

    if mongo.job.count_documents({"experiment": "rates", "job": "lr=0.1"}) > 0: ...

Queries by equal values only; dots lead into objects, such as "config.lr". There is no database behind it: each question is
one `nightmark job list`.
"""

from jobmonitor.command import nightmark

_FILTERS = ("user", "project", "experiment")


class _Jobs:
    def find(self, query=None, projection=None):
        """Documents with the keys that they had: _id, user, project, experiment, job, status, config ..."""
        query = dict(query or {})
        for key, value in query.items():
            if key.startswith("$") or isinstance(value, dict):
                raise ValueError("only equal values can be queried, not %r: %r" % (key, value))
        options = ["--%s=%s" % (key, query[key]) for key in _FILTERS if key in query]
        jobs = nightmark("job", "list", "--limit=0", *options)
        return [document for document in map(_document, jobs)
                if all(_at(document, key) == (str(value) if key == "_id" else value) for key, value in query.items())]

    def find_one(self, query=None, projection=None):
        found = self.find(query)
        return found[0] if found else None

    def count_documents(self, query):
        return len(self.find(query))


class _Database:
    job = _Jobs()


mongo = _Database()


def _document(job):
    return dict(job, _id=job["id"], job=job["name"], n_workers=job["workers"])


def _at(value, key):
    for name in key.split("."):
        if not isinstance(value, dict) or name not in value:
            return None
        value = value[name]
    return value
