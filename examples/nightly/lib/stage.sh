# Sourced by every stage script of this home. The folder of the kit is in BENCHMARK_DEPS during a night; by hand:
#   BENCHMARK_DEPS="$(nightmark helpers)" ./run.sh CONFIG OUTPUT
source "${BENCHMARK_DEPS:?Set BENCHMARK_DEPS to the folder that nightmark helpers prints.}/bash/common.sh"

# stage FOLDER COMMAND ARGS...: runs the command and says in FOLDER/status.json how it went: its last line when
# all is well, its last 20 lines when not. Arguments stay as they are, so folders may have spaces in their names.
stage() {
  local folder="$1" output
  shift
  mkdir -p "$folder"
  if output="$("$@" 2>&1)"; then
    printf '%s\n' "$output"
    emit_status_file true "${output##*$'\n'}" "$folder"
  else
    printf '%s\n' "$output"
    emit_status_file false "$(tail -n 20 <<<"$output")" "$folder"
    return 1
  fi
}
