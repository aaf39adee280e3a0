#!/usr/bin/env bash
# setup.sh CONFIG SETUP: prepares what every night needs. Runs once, and again when a file here or the configuration changes.
source "$BENCHMARK_DEPS/bash/common.sh"
emit_status_file true "nothing to prepare" "$2"
