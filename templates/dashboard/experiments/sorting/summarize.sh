#!/usr/bin/env bash
# summarize.sh CONFIG DATA SUMMARY: writes SUMMARY/summary.json with a title and a text.
source "$BENCHMARK_DEPS/bash/common.sh"
mkdir -p "$3"
if message="$(node summarize.mjs "$2" "$3/summary.json" 2>&1)"; then
  emit_status_file true "$message" "$3"
else
  emit_status_file false "$message" "$3"
fi
