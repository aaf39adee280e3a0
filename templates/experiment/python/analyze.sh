#!/usr/bin/env bash
# analyze.sh CONFIG RAW ANALYSIS
source "$BENCHMARK_DEPS/bash/common.sh"
include_shared_python_deps
add_to_pythonpath "$(pwd)"
check_python_exit_code analyze.py --config-dir "$1" --data-dir "$2" --output-dir "$3"
