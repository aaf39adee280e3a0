#!/usr/bin/env bash
# run.sh CONFIG OUTPUT. Fails on purpose: the rest of the night goes on, and the message below is what you read.
source ../../lib/stage.sh
if [ ! -f census.csv ]; then
  emit_status_file false "census.csv is not there. This example fails on purpose.
Put a file of that name into experiments/census, and the next night measures how long it takes to read it." "$2"
  exit 1
fi
stage "$2" node measure.mjs "$1" "$2"
