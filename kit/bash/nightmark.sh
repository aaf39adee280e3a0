#!/usr/bin/env bash
# source "$BENCHMARK_DEPS/bash/nightmark.sh": the command "nightmark" of the package that this kit is a part of, or the one
# that $NIGHTMARK names, or the one on the PATH.
nightmark() {
  local main="$BENCHMARK_DEPS/../dist/src/cli/nightmark.cjs"
  if [ -n "${NIGHTMARK:-}" ]; then
    "$NIGHTMARK" "$@"
  elif [ -f "$main" ]; then
    sh "$BENCHMARK_DEPS/bin/nightmark" "$@"
  else
    command nightmark "$@"
  fi
}
