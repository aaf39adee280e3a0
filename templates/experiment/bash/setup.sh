#!/usr/bin/env bash
# setup.sh CONFIG SETUP: prepares what every night needs. Runs once, and again when a file here or the configuration changes.
source "$BENCHMARK_DEPS/bash/common.sh"
lines="$(sed -n 's/.*"lines": *\([0-9]*\).*/\1/p' "$1/config.json")"
awk -v lines="${lines:-20000}" 'BEGIN { srand(42); for (i = 0; i < lines; i++) print int(rand() * 1e9) }' >"$2/numbers.txt"
emit_status_file true "numbers.txt is ready" "$2"
