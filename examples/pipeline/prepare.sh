#!/bin/sh
# Makes the two repositories of the example beside nightmark.yml: code.git with one commit, and site.git, empty.
set -eu
cd "$(dirname "$0")"
if [ -e code.git ] || [ -e site.git ]; then
  echo "code.git or site.git is there already: remove both to begin anew." >&2
  exit 1
fi
git init --quiet --bare --initial-branch=main code.git
git init --quiet --bare --initial-branch=pages site.git
./commit.sh "Sort by merging" code/sort.mjs
