#!/usr/bin/env bash
# visualize.sh CONFIG DATA GRAPH
exec node stages.mjs visualize "$1" "$2" "$3"
