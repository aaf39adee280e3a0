#!/usr/bin/env bash
# run.sh CONFIG HOME OUTPUT
source ../../lib/stage.sh
stage "$3" node digest.mjs "$1" "$2" "$3"
