#!/usr/bin/env bash
# summarize.sh CONFIG DATA SUMMARY
source ../../lib/stage.sh
stage "$3" node ../../lib/summarize.mjs "$1" "$2" "$3"
