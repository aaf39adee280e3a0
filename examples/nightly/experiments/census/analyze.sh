#!/usr/bin/env bash
# analyze.sh CONFIG RAW ANALYSIS
source ../../lib/stage.sh
stage "$3" node ../../lib/analyze.mjs "$1" "$2" "$3"
