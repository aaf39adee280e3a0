#!/bin/bash
source $BENCHMARK_DEPS/bash/common.sh

wrap_command_status $2 "mkdir -p $2/data && printf 'Ада\nLovelace\n' > $2/data/English.txt"
emit_status_file true "success" $2
