#!/usr/bin/env bash
# run.sh CONFIG OUTPUT: measures, and leaves what it found in OUTPUT.
source "$BENCHMARK_DEPS/bash/common.sh"
if node measure.mjs "$1" >"$2/samples.csv" 2>"$2/error.log"; then
  emit_status_file true "measured" "$2"
else
  emit_status_file false "$(tail -n 20 "$2/error.log")" "$2"
fi
