#!/bin/bash
source $BENCHMARK_DEPS/bash/common.sh
include_shared_python_deps
add_to_pythonpath $(pwd)

timeout --kill-after=1 300 python3 "run.py" --config-dir "$1" --output-dir "$2" || exit 1
