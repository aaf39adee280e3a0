#!/bin/bash
source $BENCHMARK_DEPS/bash/common.sh
include_shared_python_deps
add_to_pythonpath $(pwd)

python3 "run.py" --config-dir "$1" --home-dir "$2" --output-dir "$3"
