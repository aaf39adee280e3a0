import { closeSync, openSync, readSync } from 'node:fs';
import { StringDecoder } from 'node:string_decoder';
import pc from 'picocolors';
import type { CliContext } from '../../platform/cli/command.ts';
import { formatDuration, plainly } from '../../platform/core/text/numbers.ts';
import { visible } from '../../platform/core/text/terminal-text.ts';
import type { MatrixEvent, TestResult } from '../app/run/run-effects.ts';
import type { MatrixOutcome } from '../app/run/run-matrix.ts';
import type { RunSettings } from './run-options.ts';

export interface MatrixReporter {
  readonly show: (event: MatrixEvent) => void;
  end(): void;
}

/** A line for each test; on a terminal, with one test at a time, also its output. */
export function matrixReporter(context: CliContext, jobs: number): MatrixReporter {
  const { stderr } = context;
  const colors = pc.createColors(stderr.hasColor);
  let following: ReturnType<typeof followFile> | undefined;
  const warnings = new Set<string>();
  const isLive = stderr.isTerminal && jobs === 1;
  return {
    show(event) {
      if (event.type === 'started' && isLive) {
        stderr.write(`${colors.dim(event.folder)}\n`);
        following = followFile(event.logFile, (text) => stderr.write(text));
      }
      if (event.type === 'finished') {
        following?.end();
        following = undefined;
      }
      const line = describeMatrixEvent(event);
      if (line === undefined) return;
      // A warning that every test repeats is shown once.
      if (event.type === 'warning' && warnings.size === warnings.add(line).size) return;
      const hasFailed = event.type === 'finished' && event.result.state === 'failed';
      stderr.write(`${hasFailed ? colors.red(line) : line}\n`);
    },
    end() {
      following?.end();
    },
  };
}

export interface Counts {
  readonly total: number;
  readonly executed: number;
  readonly recorded: number;
  readonly failed: number;
}

export function countResults({ results }: Pick<MatrixOutcome, 'results'>): Counts {
  const count = (isCounted: (result: TestResult) => boolean) => results.filter(isCounted).length;
  return {
    total: results.length,
    executed: count(
      ({ state, folder }) => (state === 'succeeded' || state === 'failed') && folder !== undefined,
    ),
    recorded: count(({ state }) => state === 'recorded'),
    failed: count(({ state }) => state === 'failed'),
  };
}

/** A line of progress; undefined for events that print nothing. */
function describeMatrixEvent(event: MatrixEvent): string | undefined {
  if (event.type === 'warning') return `warning: ${event.text}`;
  if (event.type === 'begun') return `${event.total} tests, ${event.recorded} already done`;
  if (event.type === 'started') return undefined;
  const { result, done, waiting, remainingMs } = event;
  const left =
    remainingMs === undefined || waiting === 0 ? '' : `, about ${plainly(formatDuration(remainingMs))} left`;
  return `[${done}/${done + waiting}] ${describeResult(result)}${left}`;
}

function describeResult({ test, state, folder, exitCode, durationMs, message }: TestResult): string {
  const name = visible(folder ?? test.experiment);
  const time = durationMs === undefined ? '' : ` ${plainly(formatDuration(durationMs))}`;
  if (state !== 'failed') return `${name} ${state === 'succeeded' ? 'ok' : state}${time}`;
  const why = message ?? `exit code ${exitCode}`;
  return `${name} FAILED${time}: ${visible(why)}`;
}

/** The logs of failed tests, and the last line of the original tool. */
export function describeOutcome(outcome: MatrixOutcome, { resultsDir }: RunSettings): string {
  const { total, executed, recorded, failed } = countResults(outcome);
  const failures = outcome.results
    .filter(({ state, folder }) => state === 'failed' && folder !== undefined)
    .slice(0, SHOWN)
    .map(
      ({ folder, exitCode }) =>
        `failed: ${visible(`${resultsDir}/${folder}/run.log`)} (exit code ${exitCode})\n`,
    );
  const rest = failed > SHOWN ? `... ${failed - SHOWN} more\n` : '';
  const waiting = outcome.results.filter(
    ({ state }) => state === 'waiting' || state === 'interrupted',
  ).length;
  const open = waiting === 0 ? '' : `, not run: ${waiting}`;
  return `${failures.join('')}${rest}total: ${total}, executed: ${executed}, recorded: ${recorded}, failed: ${failed}${open}\n`;
}

const SHOWN = 20;

export function outcomeJson(outcome: MatrixOutcome, settings: RunSettings, file: string) {
  const { resultsDir, order, seed, jobs } = settings;
  return {
    run: outcome.runId,
    file,
    results: resultsDir,
    order,
    seed,
    jobs,
    ...countResults(outcome),
    isInterrupted: outcome.isInterrupted,
    tests: outcome.results.map(({ test, ...result }) => ({
      experiment: test.experiment,
      settings: test.settings,
      ...result,
    })),
  };
}

const EVERY_MS = 200;

/** Shows what is appended to a file, until it is ended; waits for a file that does not exist yet. */
function followFile(path: string, show: (text: string) => void): { end(): void } {
  const decoder = new StringDecoder('utf8');
  const buffer = Buffer.alloc(64 * 1024);
  let file: number | undefined;
  const read = () => {
    file ??= open(path);
    if (file === undefined) return;
    for (let size = readSync(file, buffer); size > 0; size = readSync(file, buffer)) {
      show(decoder.write(buffer.subarray(0, size)));
    }
  };
  const timer = setInterval(read, EVERY_MS);
  timer.unref();
  return {
    end() {
      clearInterval(timer);
      read();
      if (file !== undefined) closeSync(file);
    },
  };
}

function open(path: string): number | undefined {
  try {
    return openSync(path, 'r');
  } catch {
    return undefined;
  }
}
