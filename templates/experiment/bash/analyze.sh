#!/usr/bin/env bash
# analyze.sh CONFIG RAW ANALYSIS: the numbers of this night, means of what run.sh measured.
source "$BENCHMARK_DEPS/bash/common.sh"
source "$BENCHMARK_DEPS/bash/nightmark.sh"
if message="$(nightmark data times "$2/bash-sort.csv" --output-dir "$3" 2>&1)"; then
  emit_status_file true "$message" "$3"
else
  emit_status_file false "$message" "$3"
fi
