#!/usr/bin/env bash
# summarize.sh CONFIG DATA SUMMARY: the newest night in words.
source "$BENCHMARK_DEPS/bash/common.sh"
source "$BENCHMARK_DEPS/bash/nightmark.sh"
title="$(sed -n 's/.*"title": *"\([^"]*\)".*/\1/p' "$1/config.json")"
if message="$(nightmark summary "$3" --title "${title:-Sorting}" --data "$2" 2>&1)"; then
  emit_status_file true "summarized" "$3"
else
  emit_status_file false "$message" "$3"
fi
