#!/bin/bash
source $BENCHMARK_DEPS/bash/common.sh
include_shared_python_deps
add_to_pythonpath $(pwd)

python_run_trial "run.py" $1 $2
