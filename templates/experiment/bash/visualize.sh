#!/usr/bin/env bash
# visualize.sh CONFIG DATA GRAPH: a graph over all nights for each number.
source "$BENCHMARK_DEPS/bash/common.sh"
source "$BENCHMARK_DEPS/bash/nightmark.sh"
for order in -n -rn; do
  if ! message="$(nightmark data series --chart "$3/sort$order.png" -- "$2/" "$order" 2>&1)"; then
    emit_status_file false "$message" "$3"
    exit 1
  fi
done
emit_status_file true "2 graphs" "$3"
