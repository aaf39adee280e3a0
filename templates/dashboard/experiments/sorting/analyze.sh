#!/usr/bin/env bash
# analyze.sh CONFIG RAW ANALYSIS: turns what run.sh left in RAW into ANALYSIS/data.json, the numbers of this night.
source "$BENCHMARK_DEPS/bash/common.sh"
if message="$(node analyze.mjs "$2/samples.csv" "$3/data.json" 2>&1)"; then
  emit_status_file true "$message" "$3"
else
  emit_status_file false "$message" "$3"
fi
