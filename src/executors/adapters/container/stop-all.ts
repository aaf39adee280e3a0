/**
 * Ends every process of a container but its first: SIGTERM, then up to $2 steps of 50 ms in which they may end by
 * themselves; the container is then removed with what is left. "kill -1" means everybody: where the first process is
 * not that of the container $1, the processes of the machine are shared, and nobody is meant.
 * `read -t` on an open stdin is a sleep that starts no process.
 */
export const STOP_ALL = `
while IFS= read -r -d '' entry; do
  [ "$entry" = "NIGHTMARK_CONTAINER=$1" ] && own=1
done 2>/dev/null < /proc/1/environ
[ -n "$own" ] || exit 0
kill -TERM -1 2>/dev/null
for ((i = 0; i < $2; i++)); do
  kill -0 -1 2>/dev/null || exit 0
  read -r -t 0.05 _
done
`;
