/**
 * Ends every process of a container but its first: SIGTERM, then SIGKILL after $2 steps of 50 ms. Runs in the container
 * with nothing but bash: no program name is guessed, and no pgrep is needed. $1 is the name of the sandbox: where the first
 * process does not carry it the engine shares the host's processes, and only those that do carry it are ended.
 *
 * The shell that "exec" started (its parent is outside: 0) would die of SIGTERM at once, and with it the pipes through
 * which the harness below it prints: its last words would kill it before it has written its results. Such a shell is
 * held, unless it catches SIGTERM (bit 14 of SigCgt), until the others are gone.
 * `read -t` on an open stdin is a sleep that starts no process.
 */
export const STOP_TREE = `
carries() {
  local entry
  while IFS= read -r -d '' entry; do
    [ "$entry" = "NIGHTMARK_SANDBOX=$name" ] && return 0
  done 2>/dev/null < "/proc/$1/environ"
  return 1
}
catches_term() {
  local key mask
  while read -r key mask; do
    [ "$key" = SigCgt: ] && return $((!(16#$mask & 16#4000)))
  done 2>/dev/null < "/proc/$1/status"
  return 1
}
others() {
  local folder pid facts
  pids=()
  for folder in /proc/[0-9]*; do
    pid="\${folder#/proc/}" facts=
    [ "$pid" = 1 ] && continue
    [ "$pid" = "$$" ] && continue
    { IFS= read -r -d '' facts < "$folder/stat"; } 2>/dev/null
    facts="\${facts##*) }"
    case "$facts" in '' | Z* | X*) continue ;; esac
    [ -n "$own" ] || carries "$pid" || continue
    facts="\${facts#* }"
    if [ -n "$hold" ] && [ "\${facts%% *}" = 0 ] && ! catches_term "$pid"; then
      kill -STOP "$pid" 2>/dev/null
      held="$held $pid"
      continue
    fi
    pids+=("$pid")
  done
  [ "\${#pids[@]}" -gt 0 ]
}
name=$1 own= hold=1 held= pids=()
carries 1 && own=1
others && kill -TERM "\${pids[@]}" 2>/dev/null
for ((i = 0; i < $2; i++)); do others || break; read -r -t 0.05 _; done
hold=
[ -n "$held" ] && { kill -TERM $held; kill -CONT $held; } 2>/dev/null
for ((i = 0; i < 50; i++)); do
  others || exit 0
  [ "$i" -gt 1 ] || { read -r -t 0.02 _; continue; }
  kill -STOP "\${pids[@]}" 2>/dev/null
  kill -KILL "\${pids[@]}" 2>/dev/null
  read -r -t 0.02 _
done
`;
