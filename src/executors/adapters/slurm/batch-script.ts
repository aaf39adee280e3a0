import { singleQuote } from '../../../platform/core/text/shell.ts';

/**
 * What runs on the node. Nothing of the command is part of this text: arguments, environment and settings are read from
 * the files of the staging folder, NUL by NUL. The list of folders is the only thing that differs between scripts.
 * - It leaves `end` behind: how the command ended. A folder that the node does not see is exit code 71.
 * - Slurm sends a cancel to the children of this shell first; ours comes as SIGTERM to the shell alone (--batch).
 * - Its processes are found by their environment: what leaves its group, or its parents, is ended too.
 */
export function batchScript(folders: readonly string[], runIds: readonly string[]): string {
  return [
    '#!/bin/bash',
    ...runIds.map((id, task) => `#nightmark ${task} ${encodeURIComponent(id)}`),
    `folders=(${folders.map(singleQuote).join(' ')})`,
    `start=${singleQuote(START)}`,
    BODY,
  ].join('\n');
}

/** Which tasks of a script belong to a run. */
export function tasksOfRun(script: string, runId: string): readonly number[] {
  const id = encodeURIComponent(runId);
  return [...script.matchAll(/^#nightmark (\d+) (.*)$/gm)].flatMap(([, task, found]) =>
    found === id ? [Number(task)] : [],
  );
}

/** Becomes the command. What Slurm says of the place arrives too, below what the command itself sets. */
const START = `
dir=$1 own=() argv=() path=/bin:/usr/bin
for name in "\${!SLURM_@}" "\${!PMI@}" "\${!CUDA_VISIBLE_@}" "\${!ROCR_VISIBLE_@}" "\${!ZE_AFFINITY_@}" "\${!GPU_DEVICE_@}"; do
  own+=("$name=\${!name}")
done
while IFS= read -r -d '' entry; do
  own+=("$entry")
  [[ $entry == PATH=* ]] && path=\${entry#PATH=}
done < "$dir/env"
own+=("NIGHTMARK_TOKEN=$NIGHTMARK_TOKEN")
[ "$2" -gt 1 ] && own+=("NIGHTMARK_RANK=$SLURM_PROCID")
while IFS= read -r -d '' entry; do argv+=("$entry"); done < "$dir/argv"
cd -- "\${argv[0]}" || { echo nowhere > "$dir/missing"; exit 127; }
program=\${argv[1]}
case $program in
  */*) [ -x "$program" ] && [ ! -d "$program" ] ;;
  *) PATH=$path type -P -- "$program" > /dev/null ;;
esac || { echo program > "$dir/missing"; exit 127; }
exec env -i -- "\${own[@]}" "\${argv[@]:1}"
`;

const BODY = `
dir=\${folders[\${SLURM_ARRAY_TASK_ID:-0}]}
mapfile -t settings < "$dir/settings" || exit 71
token=\${settings[0]} steps=\${settings[1]} timeout=\${settings[2]} tasks=\${settings[3]}
how= timer= pid=
ours() {
  local file
  for file in $(grep -lsxzF "NIGHTMARK_TOKEN=$token" /proc/[0-9]*/environ); do
    file=\${file#/proc/}
    echo "\${file%/environ}"
  done
}
end_tree() {
  local i pids
  for ((i = 0; i <= steps; i++)); do
    pids=$(ours)
    # Of the group, only what hid its environment is left: a group may also be kept by the dead that nobody buried.
    [ -z "$pids" ] && { kill -KILL -- "-$pid" 2> /dev/null; return; }
    ((i == 0)) && kill -TERM -- "-$pid" $pids 2> /dev/null
    sleep 0.05
  done
  for ((i = 0; i < 50; i++)); do
    pids=$(ours)
    kill -STOP -- "-$pid" $pids 2> /dev/null
    kill -KILL -- "-$pid" $pids 2> /dev/null
    [ -z "$pids" ] && return
    sleep 0.01
  done
}
stop() {
  [ -n "$how" ] && return
  how=$1
  [ -n "$pid" ] && end_tree
}
trap 'stop stopped' TERM
trap 'stop timeout' USR1
cpus=()
[ -n "$SLURM_CPUS_PER_TASK" ] && cpus=("--cpus-per-task=$SLURM_CPUS_PER_TASK")
set -m
if [ "$tasks" -gt 1 ]; then
  NIGHTMARK_TOKEN=$token srun --ntasks="$tasks" "\${cpus[@]}" --kill-on-bad-exit=1 --export=ALL \\
    bash -c "$start" start "$dir" "$tasks" < /dev/null > "$dir/stdout" 2> "$dir/stderr" &
else
  NIGHTMARK_TOKEN=$token bash -c "$start" start "$dir" 1 < /dev/null > "$dir/stdout" 2> "$dir/stderr" &
fi
pid=$!
set +m
[ -n "$how" ] && end_tree
if [ -n "$timeout" ] && mkfifo "$dir/timer"; then
  (trap - TERM USR1; read -r -t "$timeout" _ <> "$dir/timer"; kill -USR1 $$) &
  timer=$!
fi
while :; do
  wait "$pid"
  code=$?
  [ -z "$how" ] && kill -0 "$pid" 2> /dev/null || break
done
trap '' TERM USR1
[ -n "$timer" ] && kill "$timer" 2> /dev/null
[ -z "$how" ] && end_tree
[ -e "$dir/missing" ] && read -r how < "$dir/missing"
printf '%s %s %s\\n' "\${how:-code}" "$code" "\${SLURMD_NODENAME:-$HOSTNAME}" > "$dir/end.new" && mv "$dir/end.new" "$dir/end"
exit "$code"
`;
