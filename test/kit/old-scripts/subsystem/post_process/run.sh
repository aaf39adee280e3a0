#!/bin/bash
source $BENCHMARK_DEPS/bash/common.sh
include_shared_python_deps
add_to_pythonpath $(pwd)

for figure in nlp_comp opt_comp vision_comp; do
  check_python_exit_code "$figure.py" --config-dir "$1" --home-dir "$2" --output-dir "$3"
done
