"""Finds and runs the command `nightmark`."""

import json
import os
import shlex
import shutil
import subprocess
import sys


def nightmark(*arguments):
    """Runs it and returns what it printed as JSON. RuntimeError, with its stderr, when it failed."""
    ran = subprocess.run(_command() + list(arguments) + ["--json"], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                         stderr=subprocess.PIPE, check=False)
    said = ran.stderr.decode("utf-8", "replace").strip()
    if ran.returncode != 0:
        raise RuntimeError("nightmark %s ended with exit code %d:\n%s" % (" ".join(arguments[:2]), ran.returncode, said))
    warnings = [line for line in said.splitlines() if line.startswith("warning:")]
    if warnings:
        sys.stderr.write("\n".join(warnings) + "\n")
    return json.loads(ran.stdout.decode("utf-8"))


def _command():
    given = os.environ.get("NIGHTMARK_COMMAND")
    if given:
        return shlex.split(given)
    # Of the package that this file came with, where it still lies in it.
    package = os.path.dirname(os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))))
    main = os.path.join(package, "dist", "src", "cli", "main.js")
    node = shutil.which("node")
    if node and os.path.isfile(main):
        return [node, main]
    found = shutil.which("nightmark")
    if found:
        return [found]
    raise RuntimeError("the command nightmark is not on the PATH; install it (npm install -g nightmark), or say where it is "
                       "with NIGHTMARK_COMMAND")
