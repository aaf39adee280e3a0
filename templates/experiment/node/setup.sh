#!/usr/bin/env bash
# setup.sh CONFIG SETUP
exec node stages.mjs setup "$1" "$2"
