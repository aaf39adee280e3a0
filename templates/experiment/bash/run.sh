#!/usr/bin/env bash
# run.sh CONFIG RAW: measures. Replace "sort" with what you want to time; each combination of -p is measured.
source "$BENCHMARK_DEPS/bash/common.sh"
source "$BENCHMARK_DEPS/bash/nightmark.sh"
runs="$(sed -n 's/.*"runs": *\([0-9]*\).*/\1/p' "$1/config.json")"
nightmark time --output-dir "$2" --method bash --task sort --runs "${runs:-5}" --status \
  -p order=-n,-rn -- sort {order} setup/numbers.txt -o "$2/sorted.txt"
