#!/bin/sh
# Commits a version of sort.mjs to code.git, as a colleague would: ./commit.sh "Sort in another way" later/slower.mjs
set -eu
cd "$(dirname "$0")"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
git clone --quiet code.git "$work" 2>/dev/null
cp code/measure.mjs "$work/"
cp "$2" "$work/sort.mjs"
git -C "$work" checkout --quiet -B main
git -C "$work" add -A
git -C "$work" -c user.name=Ada -c user.email=ada@example.org commit --quiet -m "$1"
git -C "$work" push --quiet origin main
git -C "$work" rev-parse --short HEAD
