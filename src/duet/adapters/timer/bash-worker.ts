import { END_OF_TAIL } from './worker.ts';

/**
 * A worker in bash: waits for a start time, runs its command, reports when it began and ended.
 *
 * Why bash: what a fork costs grows with the memory of the one who forks. Medians for `true` beside each other on one
 * machine: hyperfine 1.05 ms, this 1.3 ms, Node 2.2 ms. EPOCHREALTIME (bash 5) is read without a process.
 *
 * stdin: one start time (microseconds since 1970) a line; stdout: "start end code" and the two lines of `times` for each.
 * fd 3 is open as long as those who started us live. When it closes, a second shell that does nothing but wait for it
 * ends what carries our token, also what left the process group, and then the group with the worker and itself.
 *
 * fd 4 takes the output of a command. Node makes its pipes of sockets, which cannot be opened as /dev/stderr: a cat is between.
 * So the last output may come after the end; a run that failed is followed by a mark.
 */
export const BASH_WORKER = `
trap : TERM INT HUP
output=$1; shift
(
  trap '' TERM INT HUP
  while read -r -u 3 _; do :; done
  for found in $(grep -lsz -- "^NIGHTMARK_TOKEN=$NIGHTMARK_TOKEN\\$" /proc/[0-9]*/environ); do
    pid=\${found#/proc/}; pid=\${pid%/environ}
    [[ $pid == $$ || $pid == $BASHPID ]] || kill -KILL $pid
  done
  kill -KILL 0
) </dev/null >/dev/null 2>&1 4>&- &
exec 3<&-
if [[ $output == null ]]; then exec 4>/dev/null; else exec 4> >(exec cat >&4 2>/dev/null); fi
if [[ $output == tail ]]; then exec 5>&4; else exec 5>/dev/null; fi
# Opened once: what the copy of this shell still has to do before it becomes the command is in the time.
exec 6</dev/null
printf 'ready\\n'
while read -r start; do
  while now=\${EPOCHREALTIME//[!0-9]/}; (( now < start )); do :; done
  "$@" <&6 >&5 2>&4 4>&- 5>&- 6<&-
  code=$? end=\${EPOCHREALTIME//[!0-9]/}
  (( code == 0 )) || printf '${END_OF_TAIL}' >&4
  printf '%s %s %s\\n' "$now" "$end" "$code"
  times
done
`;
