#!/usr/bin/env bash
# Functions for stage scripts: source "$BENCHMARK_DEPS/bash/common.sh". Works with bash 3.2 and newer and the
# POSIX tools tr, sed, awk and tail. Only dir_val is left behind in the caller; everything else is local.

if [ -z "${BASH_VERSION:-}" ]; then
  echo "bash/common.sh is for bash: begin the script with #!/usr/bin/env bash, or start it with bash." >&2
  # shellcheck disable=SC2317
  return 1 2>/dev/null || exit 1
fi

# A script that is started by hand finds its kit too.
if [ -z "${BENCHMARK_DEPS:-}" ]; then
  BENCHMARK_DEPS="$(CDPATH='' cd -- "$(dirname -- "${BASH_SOURCE[0]}")/.." && pwd)"
  export BENCHMARK_DEPS
fi

# script_dir SCRIPT: sets dir_val to the absolute folder of the script.
script_dir() {
  dir_val="$(CDPATH='' cd -- "$(dirname -- "$1")" && pwd)"
}

# add_to_pythonpath FOLDER: puts it first. No empty entry: to Python that is the working directory.
add_to_pythonpath() {
  export PYTHONPATH="$1${PYTHONPATH:+:$PYTHONPATH}"
}

# include_shared_python_deps: puts the Python modules of the kit first, and stand-ins for numpy and slack last, each
# only if python3 does not find the package itself: what is on PYTHONPATH hides what is installed.
include_shared_python_deps() {
  local name IFS=' '
  add_to_pythonpath "$BENCHMARK_DEPS/python"
  for name in $(nightmark_missing_packages); do
    PYTHONPATH="$PYTHONPATH:$BENCHMARK_DEPS/python/standin/$name"
  done
}

nightmark_missing_packages() {
  python3 -c 'from importlib.util import find_spec
print(*[name for name in ("numpy", "slack") if find_spec(name) is None])' 2>/dev/null
}

# check_python_exit_code SCRIPT ARGS...: ends the calling script with 1 when Python fails.
check_python_exit_code() {
  python3 "$@" || exit 1
}

# python_run_trial SCRIPT CONFIG_DIR OUTPUT_DIR MORE...: the same, with the two folders as options.
python_run_trial() {
  local script="$1" config_dir="$2" output_dir="$3"
  shift 3
  check_python_exit_code "$script" --config-dir "$config_dir" --output-dir "$output_dir" "$@"
}

# emit_status_file FLAG MESSAGE FOLDER: writes FOLDER/status.json; only "false" and "0" mean failure.
emit_status_file() {
  printf '%s\n' "${2-}" | nightmark_write_status "${1-}" "${3-}"
}

# wrap_command_status FOLDER WORDS...: runs the arguments, joined by spaces, as a shell command line. A failure
# leaves a failed status and ends the calling script with 1; success leaves no status: that is the script's to say.
wrap_command_status() {
  local folder="$1" IFS=' '
  shift
  nightmark_wrap_status "$folder" bash -c "$*"
}

# wrap_script_status FOLDER SCRIPT ARGS...: the same for a bash script; its arguments stay as they are.
wrap_script_status() {
  local folder="$1"
  shift
  nightmark_wrap_status "$folder" bash "$@"
}

nightmark_wrap_status() {
  local folder="$1"
  shift
  mkdir -p -- "$folder" || exit 1
  if "$@" >|"$folder/out.log" 2>&1; then return 0; fi
  # A status is a message, not a log: one endless line is cut to its last 256 KiB.
  {
    tail -n 50 -- "$folder/out.log" | tail -c 262144
    echo
  } | nightmark_trim_end | nightmark_write_status false "$folder"
  exit 1
}

# Takes empty lines off the end, as $(...) would, but in bounded memory and without a warning about NUL bytes.
nightmark_trim_end() {
  LC_ALL=C tr -d '\000' | LC_ALL=C awk '
    $0 == "" { empty++; next }
    { for (; empty > 0; empty--) print ""; print; printed = 1 }
    END { if (!printed) print "" }'
}

# Reads the message from stdin, its lines ended by newlines. Temporary file and rename: never half a status.
nightmark_write_status() {
  local success=true folder="$2" temporary
  case "$1" in false | 0) success=false ;; esac
  mkdir -p -- "$folder" || return 1
  temporary="$folder/.status.json.$$.$RANDOM"
  if {
    printf '{"success": %s, "message": "' "$success"
    nightmark_escape
    printf '"}\n'
  } >|"$temporary" && mv -f -- "$temporary" "$folder/status.json"; then
    return 0
  fi
  rm -f -- "$temporary"
  return 1
}

# stdin as the inside of a JSON string: ASCII only, everything else is dropped, as the original does.
nightmark_escape() {
  local code char name rules='s/\\/\\\\/g;s/"/\\"/g'
  for code in 1 2 3 4 5 6 7 8 9 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31; do
    printf -v char '%03o' "$code"
    printf -v char "\\$char"
    case "$code" in
      8) name='b' ;;
      9) name='t' ;;
      12) name='f' ;;
      13) name='r' ;;
      *) printf -v name 'u%04x' "$code" ;;
    esac
    rules="$rules;s/$char/\\\\$name/g"
  done
  # Backslashes are doubled first, so those of the later rules stay single.
  LC_ALL=C tr -d '\000\200-\377' | LC_ALL=C sed -e "$rules" | LC_ALL=C awk -v ORS='\\n' 1
}

export -f script_dir add_to_pythonpath include_shared_python_deps check_python_exit_code python_run_trial
export -f emit_status_file wrap_command_status wrap_script_status
export -f nightmark_missing_packages nightmark_wrap_status nightmark_trim_end nightmark_write_status nightmark_escape
