import type { Measure } from '../../../executors/core/measures.ts';
import { isElsewhere } from '../../../executors/core/place.ts';
import type { TelemetrySwitches } from '../../../home/core/home.ts';
import type { PlannedTest } from '../../../home/core/matrix-definition.ts';
import { LOG_FILE } from '../../../home/core/sweep/plan-tests.ts';
import { NightmarkError } from '../../../platform/core/errors.ts';
import { joinPath } from '../../../platform/core/path.ts';
import { seededRandom, shuffle } from '../../../stats/random.ts';
import { createEstimate } from '../../core/estimate-remaining.ts';
import { type Recorded, readRecorded } from './recorded-tests.ts';
import type { MatrixRunEffects, TestResult } from './run-effects.ts';
import { type MatrixJournal, matrixPlaces, openJournal, type RunFacts } from './run-journal.ts';
import { runTest } from './run-test.ts';

export interface MatrixRunRequest extends RunFacts {
  readonly resultsDir: string;
  /** In the order of the file. */
  readonly tests: readonly PlannedTest[];
  /** Which tests are executed: those without a success, those that failed, or all of them. */
  readonly mode: RunMode;
  readonly timeoutMs?: number;
  readonly retries: number;
  readonly stopsOnError: boolean;
  readonly telemetry?: TelemetrySwitches;
  readonly measures?: readonly Measure[];
}

export type RunMode = 'missing' | 'failed' | 'all';

export interface MatrixOutcome {
  readonly runId: string;
  /** One for each test, in the order of the file. */
  readonly results: readonly TestResult[];
  readonly isInterrupted: boolean;
}

/** Runs the tests of a matrix; those that succeeded before are not run again. */
export async function runMatrix(
  request: MatrixRunRequest,
  effects: MatrixRunEffects,
): Promise<MatrixOutcome> {
  const { resultsDir, tests } = request;
  await effects.disk.makeDir(matrixPlaces(resultsDir).own);
  const release = await lockResults(resultsDir, effects);
  try {
    const recorded = await readRecorded(
      resultsDir,
      tests.map(({ experiment }) => experiment),
      effects,
    );
    const todo = orderTests(
      request,
      tests.filter((test) => isWanted(test, request.mode, recorded)),
    );
    const journal = await openJournal(resultsDir, todo, { facts: factsOf(request), effects });
    const results = new Map<PlannedTest, TestResult>();
    try {
      await runAll(todo, { request, recorded, journal, results, effects });
      reportAbsent([...results.values()], effects);
    } finally {
      await journal.close({ executed: results.size, isInterrupted: effects.signal.aborted });
    }
    const isWaiting = new Set(todo);
    return {
      runId: journal.runId,
      results: tests.map((test) => results.get(test) ?? notRun(test, recorded, isWaiting)),
      isInterrupted: effects.signal.aborted,
    };
  } finally {
    release();
  }
}

/** Whether a run of this mode executes the test. */
export function isWanted(test: PlannedTest, mode: RunMode, recorded: Recorded): boolean {
  const exitCode = recorded.find(test)?.exitCode;
  if (mode === 'all') return true;
  return mode === 'failed' ? exitCode !== undefined && exitCode !== 0 : exitCode !== 0;
}

/** Shuffles the tests for a random order; the journal has the seed. */
export function orderTests(
  { order, seed }: Pick<MatrixRunRequest, 'order' | 'seed'>,
  tests: readonly PlannedTest[],
): readonly PlannedTest[] {
  return order === 'random' ? shuffle(tests, seededRandom(seed)) : tests;
}

/** What could not be measured, once for all tests. */
function reportAbsent(results: readonly TestResult[], { report }: MatrixRunEffects): void {
  const notes = new Set(results.flatMap(({ absent = [] }) => absent));
  for (const text of notes) report({ type: 'warning', text });
}

interface Work {
  readonly request: MatrixRunRequest;
  readonly recorded: Recorded;
  readonly journal: MatrixJournal;
  readonly results: Map<PlannedTest, TestResult>;
  readonly effects: MatrixRunEffects;
}

async function runAll(todo: readonly PlannedTest[], work: Work): Promise<void> {
  const { request, results, effects } = work;
  const total = request.tests.length;
  effects.report({ type: 'begun', total, recorded: total - todo.length, waiting: todo.length });
  if (todo.length > 0) await effects.executor.ready(request.at?.place.container);
  if (request.telemetry && request.at && isElsewhere(request.at))
    effects.report({
      type: 'warning',
      text: `No telemetry: the tests run by ${request.at.executor}, not on this machine.`,
    });
  const recordProgress = createProgressRecorder(todo, work);
  let isStopped = false;
  let next = 0;
  const worker = async () => {
    while (next < todo.length && !isStopped && !effects.signal.aborted) {
      const test = todo[next++] as PlannedTest; // below the length
      const result = await runOne(test, work);
      results.set(test, result);
      if (result.state === 'failed' && request.stopsOnError) isStopped = true;
      recordProgress(result);
    }
  };
  // A full disk ends the run, but only after the running tests have ended.
  const stopAll = (error: unknown) => {
    isStopped = true;
    throw error;
  };
  const workers = Array.from({ length: Math.min(request.jobs, todo.length) }, () => worker().catch(stopAll));
  for (const ended of await Promise.allSettled(workers)) if (ended.status === 'rejected') throw ended.reason;
}

/** Writes the result of a test to the journal, and reports it with the remaining time. */
function createProgressRecorder(
  todo: readonly PlannedTest[],
  { request, journal, results, effects }: Work,
): (result: TestResult) => void {
  const estimate = createEstimate();
  for (const { experiment } of todo) estimate.expect(experiment);
  return (result) => {
    journal.finished(result);
    const { experiment } = result.test;
    if (result.durationMs === undefined) estimate.forget(experiment);
    else estimate.finish(experiment, result.durationMs);
    const remainingMs = estimate.remainingMs(request.jobs);
    const progress = { done: results.size, waiting: todo.length - results.size };
    effects.report({
      type: 'finished',
      result,
      ...progress,
      ...(remainingMs !== undefined && { remainingMs }),
    });
  };
}

async function runOne(test: PlannedTest, { request, recorded, journal, effects }: Work): Promise<TestResult> {
  if (test.problem !== undefined) return { test, state: 'failed', message: test.problem };
  const folder = recorded.find(test)?.folder ?? recorded.nextFolder(test.experiment, test.path);
  journal.started(folder);
  const logFile = joinPath(request.resultsDir, folder, LOG_FILE);
  effects.report({ type: 'started', folder, logFile });
  return runTest(test, folder, { setup: { ...request, runId: journal.runId }, effects });
}

function notRun(test: PlannedTest, recorded: Recorded, isWaiting: ReadonlySet<PlannedTest>): TestResult {
  if (isWaiting.has(test)) return { test, state: 'waiting' };
  const earlier = recorded.find(test);
  return { test, state: earlier?.exitCode === 0 ? 'recorded' : 'kept', ...earlier };
}

function factsOf(request: MatrixRunRequest): RunFacts {
  const { definition, fileHash, version, order, seed, jobs, at } = request;
  return { definition, fileHash, version, order, seed, jobs, ...(at && { at }) };
}

async function lockResults(
  resultsDir: string,
  { locks, clock, holder }: MatrixRunEffects,
): Promise<() => void> {
  const since = new Date(clock.now()).toISOString();
  const outcome = await locks.acquire(matrixPlaces(resultsDir).lock, { ...holder, since });
  if (outcome.state === 'acquired') return () => outcome.release();
  const { pid, host, since: heldSince } = outcome.holder;
  throw new NightmarkError(
    'MATRIX_LOCKED',
    `A matrix is running in ${resultsDir}: process ${pid} on ${host} since ${heldSince}.`,
    { hint: 'Wait for it, or give another folder with --results.' },
  );
}
