#!/usr/bin/env bash
# run.sh CONFIG RAW
exec node stages.mjs run "$1" "$2"
