import { appendFileSync, mkdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { CancelSignal } from '../platform/core/cancel-signal.ts';
import { NightmarkError } from '../platform/core/errors.ts';
import {
  analyzeTable,
  combinations,
  type Parameter,
  summarizeTimes,
  type TimeSummary,
  TRIAL_COLUMNS,
  tableRow,
} from './core/trial-table.ts';
import { expanded, writeWhole } from './stage-files.ts';

export interface TrialPlan<Input> {
  /** The table is DIR/METHOD-TASK.csv. */
  readonly dir: string;
  readonly method: string;
  readonly task: string;
  /** Calls that are not counted, before the others of each repetition. */
  readonly dryRuns: number;
  readonly runs: number;
  readonly reps: number;
  /** Each combination of the values is measured, the last parameter fastest. */
  readonly parameters?: Readonly<Record<string, readonly Parameter[]>>;
  /** Rows are appended to an existing table. */
  readonly append?: boolean;
  /** Between the repetitions of one combination; 4,000 by default. */
  readonly restMs?: number;
  setup?(...values: readonly Parameter[]): Input | Promise<Input>;
  trial(input: Input, ...values: readonly Parameter[]): unknown;
  teardown?(input: Input): void | Promise<void>;
  /** Called after a combination with the mean seconds of each repetition; prints a line on stdout by default. */
  onCombination?(values: readonly Parameter[], means: readonly number[]): void;
  /** Ends the rest between repetitions early. */
  readonly signal?: CancelSignal;
  /** Seconds of one call in place of the measured ones. */
  secondsOf?(outcome: unknown): number;
}

export interface TrialsDone {
  readonly success: boolean;
  readonly message: string;
}

const REST_MS = 4000;

/** Times a function for every combination of parameters into a table; an exception ends it and is the message. */
export async function runTrials<Input = undefined>(plan: TrialPlan<Input>): Promise<TrialsDone> {
  const parameters = plan.parameters ?? {};
  const names = Object.keys(parameters);
  const path = tablePath(plan);
  try {
    mkdirSync(dirname(path), { recursive: true });
    if (!plan.append) writeWhole(path, tableRow([...names, ...TRIAL_COLUMNS]));
    for (const values of combinations(Object.values(parameters))) {
      const failure = await measure(plan, values, path);
      if (failure !== undefined) return { success: false, message: failure };
    }
    return { success: true, message: 'success' };
  } catch (error) {
    return { success: false, message: `Encountered exception:\n${stackOf(error)}` };
  }
}

export interface AnalyzeRequest {
  readonly dir: string;
  readonly method: string;
  readonly task: string;
  readonly reps: number;
  /** In the order of the table; those of `match` by default. */
  readonly parameterNames?: readonly string[];
  readonly match?: Readonly<Record<string, Parameter>>;
}

/** Mean, median and deviation (of the population) over the repetitions of the rows that match. */
export function analyzeTrials(request: AnalyzeRequest): TimeSummary {
  const path = tablePath(request);
  const { match = {}, parameterNames = Object.keys(match), reps } = request;
  return analyzeTable(readTableFile(path), { origin: path, parameterNames, match, reps });
}

async function measure<Input>(
  plan: TrialPlan<Input>,
  values: readonly Parameter[],
  path: string,
): Promise<string | undefined> {
  const { reps, method, task, restMs = REST_MS } = plan;
  const means: number[] = [];
  for (let rep = 0; rep < reps; rep++) {
    const times: number[] = [];
    try {
      const input = (await plan.setup?.(...values)) as Input;
      for (let run = 0; run < plan.dryRuns + plan.runs; run++) {
        const seconds = await secondsOf(plan, input, values);
        if (run < plan.dryRuns) continue;
        times.push(seconds);
        appendFileSync(path, tableRow([...values, rep, run, seconds]));
      }
      await plan.teardown?.(input);
    } catch (error) {
      return `Encountered exception in trial on inputs (${values.join(', ')}):\n${stackOf(error)}`;
    }
    if (times.length > 0) means.push(summarizeTimes(times).mean);
    if (rep < reps - 1) await rest(restMs, plan.signal);
  }
  if (plan.onCombination) plan.onCombination(values, means);
  else
    console.log(
      `${method} ${task} (${values.join(', ')}) [${means.map((mean) => mean.toFixed(6)).join(', ')}]`,
    );
  return undefined;
}

/** The next trial reports an interruption. */
function rest(ms: number, signal: CancelSignal | undefined): Promise<void> {
  if (signal?.aborted) return Promise.resolve();
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', end);
      resolve();
    };
    const timer = setTimeout(end, ms);
    signal?.addEventListener('abort', end);
  });
}

/** Measured by a monotonic clock. */
async function secondsOf<Input>(
  plan: TrialPlan<Input>,
  input: Input,
  values: readonly Parameter[],
): Promise<number> {
  const start = performance.now();
  const outcome = await plan.trial(input, ...values);
  const seconds = (performance.now() - start) / 1000;
  return plan.secondsOf?.(outcome) ?? seconds;
}

function tablePath({ dir, method, task }: Pick<AnalyzeRequest, 'dir' | 'method' | 'task'>): string {
  return join(expanded(dir), `${method}-${task}.csv`);
}

function readTableFile(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (cause) {
    throw new NightmarkError('KIT_NO_TABLE', `Could not find "${path}".`, {
      hint: 'The run stage writes it: check its status.',
      cause,
    });
  }
}

function stackOf(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
