#!/usr/bin/env bash
# run.sh CONFIG HOME OUTPUT: counts values and nights in what the digest wrote. Its configuration says
# "after": ["digest"], so it runs when the digest has succeeded and not before.
source ../../lib/stage.sh

tally() {
  local csv="$1/results/subsystem/output/digest/results.csv" output="$2"
  [ -f "$csv" ] || {
    echo "There is no $csv: did the digest run?"
    return 1
  }
  awk -F , '
    NR > 1 { values[$1]++; if (!seen[$1 "," $2]++) nights[$1]++ }
    END { for (name in values) printf "%s: %d values in %d nights\n", name, values[name], nights[name] }
  ' "$csv" | sort >"$output/tally.txt"
  # Names in the tally are folder names of this home: letters and underscores, so nothing needs escaping.
  printf '{"title": "Tally", "value": "%s"}\n' "$(awk -v ORS='\\n' 1 "$output/tally.txt")" >"$output/report.json.tmp"
  mv "$output/report.json.tmp" "$output/report.json"
  echo "$(wc -l <"$output/tally.txt" | tr -d ' ') experiments counted"
}

stage "$3" tally "$2" "$3"
