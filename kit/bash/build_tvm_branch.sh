#!/usr/bin/env bash
# build_tvm_branch.sh REMOTE BRANCH: checks the branch out in $TVM_HOME and builds it there. Any step that fails
# ends it with that step's exit code: what is measured afterwards must not be the old build.
set -eu

if [ "$#" -ne 2 ]; then
  echo "usage: build_tvm_branch.sh REMOTE BRANCH (REMOTE is origin or the address of a repository)" >&2
  exit 1
fi
remote="$1"
branch="$2"
cd -- "${TVM_HOME:?Set TVM_HOME to the checkout to build.}"

if [ "$remote" = origin ]; then
  git checkout "$branch" --
else
  git remote remove other_repo 2>/dev/null || true # left by a build that was killed
  git remote add other_repo "$remote"
  trap 'git remote remove other_repo' EXIT
  git fetch other_repo "$branch"
  git checkout --detach FETCH_HEAD
fi
make -j
