#!/usr/bin/env bash
# setup.sh CONFIG SETUP: runs once, and again when a file of this experiment or its configuration changes.
# Before each run the folder is copied to ./setup.
source ../../lib/stage.sh
stage "$2" node generate.mjs "$1" "$2"
