#!/usr/bin/env bash
# visualize.sh CONFIG DATA GRAPH: DATA holds data_<night>.json of every night; graphs go to GRAPH.
source "$BENCHMARK_DEPS/bash/common.sh"
emit_status_file true "no graphs of its own" "$3"
