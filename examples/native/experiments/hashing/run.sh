#!/usr/bin/env bash
# run.sh CONFIG OUTPUT
source "$BENCHMARK_DEPS/bash/common.sh"
if node hash.mjs "$1/config.json" >"$2/medians.json" 2>"$2/error.log"; then
  emit_status_file true "measured" "$2"
else
  emit_status_file false "$(tail -n 20 "$2/error.log")" "$2"
fi
