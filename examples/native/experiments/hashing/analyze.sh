#!/usr/bin/env bash
# analyze.sh CONFIG RAW ANALYSIS: hash.mjs has done the work already.
source "$BENCHMARK_DEPS/bash/common.sh"
if cp "$2/medians.json" "$3/data.json"; then
  emit_status_file true "" "$3"
else
  emit_status_file false "There is no medians.json in $2." "$3"
fi
