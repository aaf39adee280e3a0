#!/usr/bin/env bash
# run.sh CONFIG HOME OUTPUT: runs after all experiments. report.json is what other subsystems show of it.
source "$BENCHMARK_DEPS/bash/common.sh"
nights="$(find "$2/results/experiments/data" -name 'data_*.json' | wc -l | tr -d ' ')"
printf '{"title": "Report", "value": "%s results are stored."}\n' "$nights" >"$3/report.json"
emit_status_file true "$nights results" "$3"
