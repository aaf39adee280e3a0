import { resolve } from 'node:path';
import type { Executed, Executor, Exit } from '../../../../executors/core/executor.ts';
import { setLongTimer } from '../../../../platform/adapters/long-timer.ts';
import type { CancelSignal } from '../../../../platform/core/cancel-signal.ts';
import { NEVER_CANCELLED } from '../../../../platform/core/cancel-signal.ts';
import type { Sandbox, SandboxCommand, SandboxRequest, SandboxTools } from '../../../core/sandbox.ts';
import { bashArgv, GRACE_MS, noResult } from '../sandbox-results.ts';
import { callEngine, type EngineCall, engineFailed } from './call-engine.ts';

interface StartedContainer {
  readonly call: EngineCall;
  readonly request: SandboxRequest;
  readonly digest: string;
  /** Where commands run: relative paths of results are those of the command. */
  readonly workingDir: string;
}

export function containerSandbox(
  { call, request, digest, workingDir }: StartedContainer,
  { executor }: SandboxTools,
): Sandbox {
  const { name, keep } = request;
  const running = new Set<ContainerExecution>();
  let isClosed = false;
  return {
    digest,
    place: name,

    run(command, signal) {
      const execution = execInContainer({ call, name, command, executor }, signal);
      running.add(execution);
      const ended = execution.wait().finally(() => running.delete(execution));
      return { wait: () => ended, kill: () => execution.kill() };
    },

    async fetch(path, target) {
      const from = resolve(workingDir, path);
      const answer = await callEngine(call, ['cp', `${name}:${from}`, target], { timeoutMs: COPY_MS });
      if (answer.code === 0) return;
      if (IS_MISSING.test(answer.stderr)) throw noResult(path, 'is not in the container');
      throw engineFailed(`copy ${path} out of the container`, call, answer);
    },

    async close() {
      if (isClosed) return;
      isClosed = true;
      const answer = await callEngine(call, keep ? ['kill', name] : ['rm', '-f', '-v', name]);
      for (const execution of running) execution.abandon();
      await Promise.all([...running].map((execution) => execution.wait()));
      if (answer.code !== 0 && !/no such container|not running/i.test(answer.stderr)) {
        throw engineFailed(`${keep ? 'stop' : 'remove'} the container ${name}`, call, answer);
      }
    },
  };
}

/** Results may be large folders. */
const COPY_MS = 3_600_000;
const IS_MISSING = /no such file|could not (be found|find)|not found|does not exist/i;

interface ExecRequest {
  readonly call: EngineCall;
  readonly name: string;
  readonly command: SandboxCommand;
  readonly executor: Executor;
}

interface ContainerExecution {
  wait(): Promise<Executed>;
  kill(): void;
  /** The container is gone: ends the client that still waits for it. */
  abandon(): void;
}

/**
 * Runs a command by "exec". Ending the client would end nothing inside: the tree is stopped by a script in the
 * container, and the client then ends by itself.
 */
function execInContainer(
  { call, name, command, executor }: ExecRequest,
  signal: CancelSignal,
): ContainerExecution {
  const { logFile, timeoutMs, graceMs = GRACE_MS } = command;
  const client = executor.start(
    { argv: execArguments(call.engine, name, command), cwd: process.cwd(), env: call.env, logFile },
    NEVER_CANCELLED,
  );
  let reason: Exit | undefined;
  let stopping: Promise<void> | undefined;
  const end = (why: Exit) => {
    reason ??= why;
    stopping ??= stopTree({ call, name, graceMs, ended, giveUp: () => client.kill() });
  };
  const cancel = () => end({ type: 'cancelled' });
  signal.addEventListener('abort', cancel, { once: true });
  const timer =
    timeoutMs === undefined
      ? undefined
      : setLongTimer(timeoutMs, () => end({ type: 'timeout', afterMs: timeoutMs }));

  const ended: Promise<Executed> = client.wait().finally(() => {
    timer?.cancel();
    signal.removeEventListener('abort', cancel);
  });
  const settled = ended.then(async (executed) => {
    await stopping;
    return reason ? { ...executed, exit: reason } : executed;
  });
  if (signal.aborted) cancel();
  return { wait: () => settled, kill: cancel, abandon: () => client.kill() };
}

/** The tree is gone, or the engine does not answer: the client has this long to notice. */
const CLIENT_EXIT_MS = 5_000;

function execArguments(
  engine: string,
  name: string,
  { command, env, measuresFile }: SandboxCommand,
): [string, ...string[]] {
  const variables = Object.entries(env).flatMap(([key, value]) => ['-e', `${key}=${value}`]);
  return [engine, 'exec', ...variables, name, ...bashArgv(command, measuresFile)];
}

interface StopRequest {
  readonly call: EngineCall;
  readonly name: string;
  readonly graceMs: number;
  readonly ended: Promise<Executed>;
  giveUp(): void;
}

async function stopTree({ call, name, graceMs, ended, giveUp }: StopRequest): Promise<void> {
  const steps = Math.ceil(graceMs / 50);
  const timeoutMs = graceMs + 30_000;
  try {
    await callEngine(call, ['exec', '-i', name, 'bash', '-c', STOP_TREE, 'stop', name, `${steps}`], {
      timeoutMs,
    });
  } finally {
    const timer = setLongTimer(CLIENT_EXIT_MS, giveUp);
    void ended.finally(() => timer.cancel());
  }
}

/**
 * Ends every process of a container but its first: SIGTERM, then SIGKILL after $2 steps of 50 ms. Runs in the container
 * with nothing but bash: no program name is guessed, and no pgrep is needed. $1 is the name of the sandbox: where the first
 * process does not carry it the engine shares the host's processes, and only those that do carry it are ended.
 *
 * The shell that "exec" started (its parent is outside: 0) would die of SIGTERM at once, and with it the pipes through
 * which the harness below it prints: its last output would kill it before it has written its results. Such a shell, and
 * the one below it where the first one measures, is held, unless it catches SIGTERM (bit 14 of SigCgt), until the others are gone.
 * `read -t` on an open stdin is a sleep that starts no process.
 */
const STOP_TREE = `
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
parent_of() {
  local facts=
  parent=
  { IFS= read -r -d '' facts < "/proc/$1/stat"; } 2>/dev/null
  facts="\${facts##*) }"
  case "$facts" in '' | Z* | X*) return 1 ;; esac
  facts="\${facts#* }"
  parent="\${facts%% *}"
}
is_started() {
  parent_of "$1" || return 1
  [ "$parent" = 0 ] && return 0
  [ "$parent" != 1 ] && parent_of "$parent" && [ "$parent" = 0 ]
}
others() {
  local folder pid parent
  pids=()
  for folder in /proc/[0-9]*; do
    pid="\${folder#/proc/}"
    [ "$pid" = 1 ] && continue
    [ "$pid" = "$$" ] && continue
    parent_of "$pid" || continue
    [ -n "$own" ] || carries "$pid" || continue
    if [ -n "$hold" ] && is_started "$pid" && ! catches_term "$pid"; then
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
