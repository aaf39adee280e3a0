#!/usr/bin/env bash
# Prints one line of CSV for each case and round. Replace it with what you want to measure.
echo case,seconds
for round in 1 2 3 4 5; do
  for size in 1000 20000; do
    start="$(date +%s%N)"
    seq "$size" | sort -rn >/dev/null
    end="$(date +%s%N)"
    awk -v name="sort $size" -v ns="$((end - start))" 'BEGIN { printf "%s,%.9f\n", name, ns / 1e9 }'
  done
done
