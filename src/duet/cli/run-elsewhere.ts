import { environmentElsewhere } from '../../executors/app/place-command.ts';
import { chosenPlace, firstPlaceOption, loadExecutor } from '../../executors/cli/place-options.ts';
import type { Command, Exit, OutputListener } from '../../executors/core/executor.ts';
import { isElsewhere, type RunPlace } from '../../executors/core/place.ts';
import { newRunId } from '../../home/app/run-id.ts';
import { type CliContext, EXIT, type Options } from '../../platform/cli/command.ts';
import { NightmarkError } from '../../platform/core/errors.ts';
import { programFile } from '../../platform/core/package-file.ts';
import { joinPath } from '../../platform/core/path.ts';

/** Marks the command on the node as the one to run. */
const ARRIVED = 'NIGHTMARK_ELSEWHERE';

/**
 * Sends the whole duet to a cluster as one command: both sides have to run on one node at the same time, which two
 * would not. What it prints comes back as if it ran here. Undefined: it is to run here.
 */
export async function runElsewhere(options: Options, context: CliContext): Promise<number | undefined> {
  const { env, stderr, signal, disk } = context;
  refuseWithoutExecutor(options);
  const at = chosenPlace(undefined, options, context);
  if (at.executor === 'process' || env[ARRIVED] === at.executor) return undefined;
  if (!isElsewhere(at)) throw noContainer();
  const executor = await loadExecutor(at.executor);
  await executor.ready();
  const command = commandOf(at, context);
  const execution = executor.start(command, signal);
  if (options['quiet'] !== true) {
    const ref = await execution.ref;
    if (ref !== undefined) stderr.write(`This duet is ${at.executor} job ${ref}.\n`);
  }
  const { exit, host } = await execution.wait();
  await disk.remove(command.logFile);
  if (host !== undefined && options['quiet'] !== true) stderr.write(`It ran on ${host}.\n`);
  return exitCodeOf(exit, at, signal.aborted);
}

function refuseWithoutExecutor(options: Options): void {
  const option = firstPlaceOption(options);
  if (options['executor'] !== undefined || option === undefined) return;
  throw new NightmarkError('CLI_INVALID_OPTION', `${option} goes with --executor.`, {
    hint: 'For example: --executor slurm. See docs/guide/where-things-run.md.',
  });
}

function commandOf(at: RunPlace, context: CliContext): Command {
  const { cwd, env, clock, words = [], randomSeed } = context;
  const runId = newRunId(clock.now(), randomSeed());
  const { place } = at;
  // A core for each side by default: sides that share one do not run at the same time.
  const resources = { cpus: 2, ...at.resources };
  return {
    argv: [...programOf(at, context), ...words],
    cwd,
    env: { ...environmentElsewhere(env), NIGHTMARK_RUN_ID: runId, [ARRIVED]: at.executor },
    logFile: joinPath(cwd, `.nightmark-duet-${runId}.log`),
    title: 'nightmark-duet',
    resources,
    place,
    ...(resources.timeMs !== undefined && { timeoutMs: resources.timeMs }),
    // Its results are in files that must be whole.
    graceMs: 10_000,
    onOutput: passOn(context),
  };
}

/** The nodes of a Slurm cluster see the files of this installation; an image has its own. */
function programOf({ executor }: RunPlace, { packageDir }: CliContext): readonly [string, ...string[]] {
  if (executor === 'kubernetes') return ['nightmark'];
  return [process.execPath, programFile(packageDir)];
}

function passOn({ stdout, stderr }: CliContext): OutputListener {
  const decoders = { stdout: new TextDecoder(), stderr: new TextDecoder() };
  return (stream, bytes) => {
    const output = stream === 'stdout' ? stdout : stderr;
    output.write(decoders[stream].decode(bytes, { stream: true }));
  };
}

function exitCodeOf(exit: Exit, { executor }: RunPlace, isInterrupted: boolean): number {
  if (isInterrupted) return EXIT.interrupted;
  if (exit.type === 'code') return exit.code;
  throw new NightmarkError(
    'DUET_ELSEWHERE',
    `The duet did not end by itself on ${executor}: ${reasonOf(exit)}.`,
    { hint: `${hintFor(exit)} See docs/guide/where-things-run.md.` },
  );
}

function hintFor(exit: Exclude<Exit, { readonly type: 'code' }>): string {
  switch (exit.type) {
    case 'timeout':
      return 'Give it more time with --time, or let the duet do fewer runs.';
    case 'not-started':
      return 'The folder must be seen by the nodes under the same path, and nightmark must run there.';
    case 'signal':
      return 'Something on the node ended it: it may take more memory than it was given (--memory), or the node failed.';
    default:
      return 'A user or the cluster cancelled it: run it again.';
  }
}

function reasonOf(exit: Exclude<Exit, { readonly type: 'code' }>): string {
  if (exit.type === 'timeout') return `it was ended after ${exit.afterMs / 1000} s`;
  if (exit.type === 'not-started') return exit.reason;
  const how = exit.type === 'signal' ? exit.signal : 'it was cancelled';
  return exit.reason === undefined ? how : `${how}, ${exit.reason}`;
}

function noContainer(): NightmarkError {
  return new NightmarkError('CLI_INVALID_OPTION', 'A duet runs by process, slurm or kubernetes.', {
    hint: 'Containers belong to its sides: "image:" of a side in duet.yml, docs/guide/duet-files.md.',
  });
}
