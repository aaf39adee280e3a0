"""Runs the command that the input names, a JSON list of words, and tells what it took: seconds on the clock from its start to its end,
and of CPU."""
import json
import os
import sys
import time

SILENT = [(os.POSIX_SPAWN_OPEN, 1, os.devnull, os.O_WRONLY, 0)]

words = json.load(sys.stdin)
start = time.perf_counter()
process = os.posix_spawnp(words[0], words, os.environ, file_actions=SILENT)
_, status, usage = os.wait4(process, 0)
wall = time.perf_counter() - start
print(json.dumps({"wall": wall, "cpu": usage.ru_utime + usage.ru_stime, "status": status}))
