#!/usr/bin/env bash
# analyze.sh CONFIG RAW ANALYSIS
exec node stages.mjs analyze "$1" "$2" "$3"
