#!/usr/bin/env bash
# Makes the image "duet-bash" from the machine's own busybox, bash and pgrep, without any registry: what the tests of
# containers run in. Usage: scripts/podman-image.sh [engine, default podman]
set -euo pipefail
cd "$(dirname "$0")/.."

engine=${1:-podman}
inputs=test/golden/duet/inputs
root=$(mktemp -d)
trap 'rm -rf "$root"' EXIT

busybox=$(command -v busybox) || { echo "busybox is missing (Debian: busybox-static)" >&2; exit 1; }
mkdir -p "$root"/{bin,usr/bin,sbin,duet/bench,barrier,tmp,proc,sys,dev,etc}
cp "$busybox" "$root/bin/busybox"
for applet in $("$busybox" --list); do
  # A link of busybox to itself would destroy it.
  case $applet in busybox | bash | pgrep) continue ;; esac
  ln -sf /bin/busybox "$root/bin/$applet"
done

for program in bash pgrep; do
  path=$(readlink -f "$(command -v "$program")")
  cp "$path" "$root/bin/$program"
  { ldd "$path" | grep -o '/[^ )]*' || true; } | while read -r library; do
    mkdir -p "$root$(dirname "$library")"
    cp -L "$library" "$root$library"
  done
done

cp "$inputs/fakebench.sh" "$root/duet/bench/"
cp "$inputs/make-barrier" "$inputs/rm-barrier" "$root/barrier/"
chmod 755 "$root/duet/bench/fakebench.sh" "$root/barrier/make-barrier"

tar -C "$root" -c . | "$engine" import \
  --change 'ENV PATH=/bin:/usr/bin:/sbin' --change 'CMD ["bash"]' --change 'WORKDIR /duet' \
  - duet-bash:latest
