#!/usr/bin/env bash
# visualize.sh CONFIG DATA GRAPH
source ../../lib/stage.sh
stage "$3" node ../../lib/visualize.mjs "$1" "$2" "$3"
