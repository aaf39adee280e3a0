import { ANCHOR, isPayloadFile } from '../../formats/core/kpi/payload-files.ts';
import type { CancelSignal } from '../../platform/core/cancel-signal.ts';
import type { Disk, JournalFile } from '../../platform/core/disk.ts';
import { messageOf } from '../../platform/core/errors.ts';
import { joinPath } from '../../platform/core/path.ts';
import { shellQuote } from '../../platform/core/text/shell.ts';
import type { ProcessStep, StepAnswer } from '../core/process-step.ts';

export interface StepReport {
  readonly name: string;
  readonly state: 'done' | 'failed' | 'skipped';
  readonly message: string;
  /** Whether its failure fails the whole. */
  readonly failsTest: boolean;
  /** The exit code of its command, where that is a result and not an error: 3 is a regression. */
  readonly answer?: number;
  /** Name of its log in the output folder. */
  readonly log?: string;
}

export interface ProcessEffects {
  readonly disk: Disk;
  readonly signal: CancelSignal;
  /** Runs a nightmark command with its output in the log; returns its exit code. */
  run(args: readonly string[], log: StepLog): Promise<number>;
}

/** File with the output of failed steps, each from its first error on. Absent: nothing failed. */
export const FAILURE = 'FAILURE';

/** Runs the steps in order, each with its own log. A step whose dependencies failed is skipped, with the reason. */
export async function processResults(
  steps: readonly ProcessStep[],
  out: string,
  effects: ProcessEffects,
): Promise<readonly StepReport[]> {
  await removeOldOutput(steps, out, effects.disk);
  const reports: StepReport[] = [];
  let logs = 0;
  for (const step of steps) {
    const { name, failsTest, action } = step;
    const missing = step.needs.find((need) =>
      reports.some((report) => report.name === need && hasNoOutput(report)),
    );
    if (missing !== undefined || action.type === 'skip' || effects.signal.aborted) {
      const message = reasonToSkip(action, missing);
      reports.push({ name, state: 'skipped', message, failsTest });
      continue;
    }
    const log = `${logs++}_${name}.log`;
    const done = await runStep(step, { out, log }, effects);
    reports.push({ name, failsTest, ...done, log });
  }
  return reports;
}

interface StepPlace {
  readonly out: string;
  readonly log: string;
}

async function runStep(
  step: ProcessStep,
  { out, log: file }: StepPlace,
  { disk, run }: ProcessEffects,
): Promise<Pick<StepReport, 'state' | 'message'> & Partial<StepReport>> {
  const log = createStepLog(await disk.openJournal(joinPath(out, file)));
  try {
    const exitCode = await exitCodeOf(step, log, run);
    const marker = exitCode === 0 ? undefined : step.markers?.find(({ code }) => log.hasCode(code));
    if (marker) await disk.writeText(joinPath(out, marker.file), `${log.firstError() ?? step.name}\n`);
    if (marker?.folder !== undefined) await emptyFolder(marker.folder, disk);
    if (marker?.doneWith !== undefined) return { state: 'done', message: marker.doneWith };
    const answer = step.answers?.find((it) => it.exitCode === exitCode);
    if (answer?.state === 'done') return { ...answerOf(answer), message: log.firstResult() };
    if (exitCode !== 0) {
      const result = answer && log.firstResult();
      const message = result || log.firstError() || `it ended with exit code ${exitCode}`;
      const failure = result ? '' : log.failure();
      await addFailure(joinPath(out, FAILURE), `${step.name}:\n${failure || `${message}\n`}`, disk);
      return { state: 'failed', ...(answer && answerOf(answer)), message };
    }
    if (step.copies) await disk.copyTree(step.copies.from, step.copies.to);
    return { state: 'done', message: step.answers ? log.firstResult() : log.lastLine() };
  } finally {
    log.close();
  }
}

function answerOf({ state, failsTest, exitCode }: StepAnswer) {
  return { state, failsTest, answer: exitCode };
}

/** A history of an earlier run would be used in this one. */
async function emptyFolder(dir: string, disk: Disk): Promise<void> {
  await clearPayloads(dir, disk);
  await disk.makeDir(dir);
}

async function exitCodeOf(
  { action }: ProcessStep,
  log: StepLog,
  run: ProcessEffects['run'],
): Promise<number> {
  if (action.type !== 'command') {
    log.message(`ERROR | ${action.reason}\n`);
    return 1;
  }
  // An address may contain a password.
  const shown = action.args.map((arg) => shellQuote(arg.replace(/\/\/[^/@]*@/, '//...@')));
  log.message(`$ nightmark ${shown.join(' ')}\n`);
  try {
    return await run(action.args, log);
  } catch (error) {
    log.message(`ERROR | ${messageOf(error)}\n`);
    return 1;
  }
}

/** It failed, or its dependencies did. A step that is disabled has no effect on others. */
function hasNoOutput({ state, message }: StepReport): boolean {
  return state === 'failed' || (state === 'skipped' && message.startsWith(WITHOUT));
}

const WITHOUT = 'a step that it depends on is missing:';

function reasonToSkip(action: ProcessStep['action'], missing: string | undefined): string {
  if (action.type === 'skip') return action.reason;
  return missing === undefined ? 'it was interrupted' : `${WITHOUT} ${missing} failed or was skipped`;
}

async function addFailure(path: string, text: string, disk: Disk): Promise<void> {
  const journal = await disk.openJournal(path);
  journal.append(text);
  journal.close();
}

/** Removes logs and markers of an earlier run. */
async function removeOldOutput(steps: readonly ProcessStep[], out: string, disk: Disk): Promise<void> {
  const markers = steps.flatMap((step) => step.markers?.map(({ file }) => file) ?? []);
  for (const { name } of await disk.list(out)) {
    const isLog = steps.some((step) => /^\d+_/.test(name) && name.endsWith(`_${step.name}.log`));
    if (isLog || name === FAILURE || markers.includes(name)) await disk.remove(joinPath(out, name));
  }
  await clearPayloads(joinPath(out, 'payloads'), disk);
}

/** Payloads of an earlier test would be exported again. Only files beside an anchor are removed. */
async function clearPayloads(dir: string, disk: Disk): Promise<void> {
  if ((await disk.stat(joinPath(dir, ANCHOR))) === undefined) return;
  for (const { name, type } of await disk.list(dir)) {
    if (type === 'file' && isPayloadFile(name)) await disk.remove(joinPath(dir, name));
  }
}

/** The log of one step, with what the summary needs of it. */
export interface StepLog {
  /** Standard output of the command. */
  result(text: string): void;
  /** Standard error of the command. */
  message(text: string): void;
  /** Whether an error with this code was printed. */
  hasCode(code: string): boolean;
  firstError(): string | undefined;
  /** Everything from the first error on. */
  failure(): string;
  /** The first line of standard output: the verdict of `analyze`. */
  firstResult(): string;
  /** Of standard output, or of standard error where that is empty. */
  lastLine(): string;
  close(): void;
}

/** Limit of the text after an error; the log has all of it. */
const MAX_FAILURE = 64 * 1024;

function createStepLog(file: JournalFile): StepLog {
  let failure = '';
  let firstResult = '';
  let lastResult = '';
  let lastMessage = '';
  let line = '';
  const codes = new Set<string>();
  const readLine = (text: string) => {
    const code = /^\s*\[([A-Z]+_[A-Z_]+)\]$/.exec(text)?.[1];
    if (code !== undefined) codes.add(code);
    const isFailing = failure !== '' || /^(?:ERROR|FAILED:|Traceback|error:|This is a bug)/.test(text);
    if (isFailing && failure.length < MAX_FAILURE) failure += `${text}\n`;
  };
  const write = (text: string) => {
    file.append(text);
    const lines = `${line}${text}`.split('\n');
    line = lines.pop() ?? '';
    for (const complete of lines) readLine(complete);
  };
  return {
    message(text) {
      write(text);
      lastMessage = text.trimEnd().split('\n').at(-1) || lastMessage;
    },
    result(text) {
      write(text);
      firstResult ||= text.split('\n', 1)[0] ?? '';
      lastResult = text.trimEnd().split('\n').at(-1) || lastResult;
    },
    hasCode: (code) => codes.has(code),
    firstError: () => failure.split('\n', 1)[0]?.replace(/^(?:ERROR \| |error: |FAILED: )/, '') || undefined,
    failure: () => failure,
    firstResult: () => firstResult,
    lastLine: () => lastResult || lastMessage,
    close: () => file.close(),
  };
}
