import { resolve } from 'node:path';
import type { Sandbox, SandboxRequest, SandboxTools } from '../../../core/sandbox.ts';
import { noResult } from '../defaults.ts';
import { callEngine, type EngineCall, engineFailed } from './call-engine.ts';
import { type ContainerExecution, execInContainer } from './exec-in-container.ts';

export interface StartedContainer {
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
      const answer = await callEngine(call, ['cp', `${name}:${from}`, target], { patienceMs: COPY_MS });
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
