#!/usr/bin/env bash
# summarize.sh CONFIG DATA SUMMARY
source "$BENCHMARK_DEPS/bash/common.sh"
include_shared_python_deps
add_to_pythonpath "$(pwd)"
check_python_exit_code summarize.py --config-dir "$1" --data-dir "$2" --output-dir "$3"
