#!/usr/bin/env bash
# summarize.sh CONFIG DATA SUMMARY
exec node stages.mjs summarize "$1" "$2" "$3"
