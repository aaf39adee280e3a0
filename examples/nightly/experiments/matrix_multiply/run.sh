#!/usr/bin/env bash
# run.sh CONFIG OUTPUT
source ../../lib/stage.sh
stage "$2" node measure.mjs "$1" "$2"
