#!/bin/bash
# Builds the two programs of Kubernetes that our tests talk to, kube-apiserver and kube-controller-manager, from the source
# package of Debian 12. Takes a quarter of an hour on two cores, once; needs root for apt-get and 6 GB of disk meanwhile.
#
#   scripts/kube-build.sh [FOLDER]        default: .services/k8s, where the tests look by themselves
#   NIGHTMARK_TEST_KUBE_BIN=FOLDER npm test
#
# .ci/run calls it where NIGHTMARK_CI_KUBE=1 is set.
set -euo pipefail

target=$(realpath -m "${1:-.services/k8s}")
programs=(kube-apiserver kube-controller-manager)
mkdir -p "$target"
if [ -x "$target/${programs[0]}" ] && [ -x "$target/${programs[1]}" ]; then
  echo "Both are in $target already." >&2
  exit 0
fi

build=$(mktemp -d)
sources=/etc/apt/sources.list.d/nightmark-kube-build.sources
trap 'rm -rf "$build" "$sources"' EXIT

# The sources come from where the packages come from.
sed 's/^Types: deb$/Types: deb-src/' /etc/apt/sources.list.d/debian.sources > "$sources"
apt-get update --quiet=2
DEBIAN_FRONTEND=noninteractive apt-get install --quiet=2 --yes --no-install-recommends \
  dpkg-dev golang-1.19-go golang-github-modern-go-reflect2-dev etcd-server
(cd "$build" && apt-get source --quiet=2 kubernetes)

export GO111MODULE=off GOPATH="$build/go" GOCACHE="$build/cache" CGO_ENABLED=0
PATH=/usr/lib/go-1.19/bin:$PATH
tree=$GOPATH/src/k8s.io/kubernetes
mkdir -p "$(dirname "$tree")"
mv "$build"/kubernetes-*/ "$tree"
cd "$tree"

# The copy of reflect2 in the source is older than this compiler; Debian has one that fits.
rm -r vendor/github.com/modern-go/reflect2
cp -r /usr/share/gocode/src/github.com/modern-go/reflect2 vendor/github.com/modern-go/

# The description of the API is generated, and not a part of the source package.
api=pkg/generated/openapi/zz_generated.openapi.go
if [ ! -f "$api" ]; then
  go build -o "$build/openapi-gen" ./vendor/k8s.io/kube-openapi/cmd/openapi-gen
  inputs=$(grep --recursive --files-with-matches --extended-regexp --include='*.go' '^// \+k8s:openapi-gen=' \
      vendor/k8s.io pkg staging/src/k8s.io |
    xargs dirname | sed 's#^staging/src/#vendor/#; s#^#k8s.io/kubernetes/#' | sort --unique |
    grep --invert-match --extended-regexp 'sample-|apiextensions-apiserver/examples|code-generator|kube-openapi/test' |
    paste --serial --delimiters=,)
  "$build/openapi-gen" --go-header-file hack/boilerplate/boilerplate.generatego.txt --input-dirs "$inputs" \
    --output-base "$GOPATH/src" --output-package k8s.io/kubernetes/pkg/generated/openapi \
    --output-file-base zz_generated.openapi --report-filename "$build/violations.txt"
fi

flags='-s -w'
for package in k8s.io/kubernetes/vendor/k8s.io/component-base/version k8s.io/component-base/version; do
  flags+=" -X $package.gitVersion=v1.20.2 -X $package.gitMajor=1 -X $package.gitMinor=20"
done
for program in "${programs[@]}"; do
  go build -ldflags "$flags" -o "$target/$program" "./cmd/$program"
done
ls -l "${programs[@]/#/$target/}" >&2
