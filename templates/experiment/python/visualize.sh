#!/usr/bin/env bash
# visualize.sh CONFIG DATA GRAPH
source "$BENCHMARK_DEPS/bash/common.sh"
include_shared_python_deps
add_to_pythonpath "$(pwd)"
check_python_exit_code visualize.py --config-dir "$1" --data-dir "$2" --output-dir "$3"
