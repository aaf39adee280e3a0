import { ANCHOR, isPayloadFile } from '../../formats/core/kpi/payload-files.ts';
import type { Disk, JournalFile } from '../../platform/core/disk.ts';
import { messageOf } from '../../platform/core/errors.ts';
import { joinPath } from '../../platform/core/path.ts';
import type { CancelSignal } from '../../platform/core/signal.ts';
import { shellQuote } from '../../platform/core/text/shell-quote.ts';
import type { ProcessStep, StepAnswer } from '../core/process-step.ts';

export interface StepReport {
  readonly name: string;
  readonly state: 'done' | 'failed' | 'skipped';
  readonly message: string;
  /** Whether its failure is one of the whole. */
  readonly failsTest: boolean;
  /** The exit code of its command, where that is an answer and no error: 3 is a regression. */
  readonly answer?: number;
  /** Name of its log in the output folder. */
  readonly log?: string;
}

export interface ProcessEffects {
  readonly disk: Disk;
  readonly signal: CancelSignal;
  /** Runs one of our commands; what it says goes to the log. Gives its exit code. */
  run(words: readonly string[], log: StepLog): Promise<number>;
}

/** Every line of a failed step from its first error on. Absent: nothing failed. */
export const FAILURE = 'FAILURE';

/** Does the steps in their order, each with a log of its own. A step without what it needs is skipped, and says so. */
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
      const said = answer && log.firstResult();
      const message = said || log.firstError() || `it ended with exit code ${exitCode}`;
      const failure = said ? '' : log.failure();
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

/** A history of an earlier time would be taken for that of this one. */
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
    log.talk(`ERROR | ${action.reason}\n`);
    return 1;
  }
  // Somebody may have put a password into an address.
  const shown = action.words.map((word) => shellQuote(word.replace(/\/\/[^/@]*@/, '//...@')));
  log.talk(`$ nightmark ${shown.join(' ')}\n`);
  try {
    return await run(action.words, log);
  } catch (error) {
    log.talk(`ERROR | ${messageOf(error)}\n`);
    return 1;
  }
}

/** Nothing to work on: it failed, or could not begin. A step that was not wanted is in nobody's way. */
function hasNoOutput({ state, message }: StepReport): boolean {
  return state === 'failed' || (state === 'skipped' && message.startsWith(WITHOUT));
}

const WITHOUT = 'there is nothing to do it with:';

function reasonToSkip(action: ProcessStep['action'], missing: string | undefined): string {
  if (action.type === 'skip') return action.reason;
  return missing === undefined ? 'it was interrupted' : `${WITHOUT} ${missing} failed or was skipped`;
}

async function addFailure(path: string, text: string, disk: Disk): Promise<void> {
  const journal = await disk.openJournal(path);
  journal.append(text);
  journal.close();
}

/** Logs and markers of an earlier time would be taken for those of this one. */
async function removeOldOutput(steps: readonly ProcessStep[], out: string, disk: Disk): Promise<void> {
  const markers = steps.flatMap((step) => step.markers?.map(({ file }) => file) ?? []);
  for (const { name } of await disk.list(out)) {
    const isLog = steps.some((step) => /^\d+_/.test(name) && name.endsWith(`_${step.name}.log`));
    if (isLog || name === FAILURE || markers.includes(name)) await disk.remove(joinPath(out, name));
  }
  await clearPayloads(joinPath(out, 'payloads'), disk);
}

/** Those of an earlier test would be exported again. Nothing but what has an anchor beside it is ours to remove. */
async function clearPayloads(dir: string, disk: Disk): Promise<void> {
  if ((await disk.stat(joinPath(dir, ANCHOR))) === undefined) return;
  for (const { name, type } of await disk.list(dir)) {
    if (type === 'file' && isPayloadFile(name)) await disk.remove(joinPath(dir, name));
  }
}

/** The log of one step, which remembers what the summary needs of it. */
export interface StepLog {
  /** What the command gives as its result. */
  result(text: string): void;
  /** What it says beside. */
  talk(text: string): void;
  /** Whether an error of this code was told. */
  hasCode(code: string): boolean;
  firstError(): string | undefined;
  /** Everything from the first error on. */
  failure(): string;
  /** Of the results: a command that judges says its verdict first. */
  firstResult(): string;
  /** Of the results, or of what was said beside where there are none. */
  lastLine(): string;
  close(): void;
}

/** Of what follows an error; the log has all of it. */
const MAX_FAILURE = 64 * 1024;

function createStepLog(file: JournalFile): StepLog {
  let failure = '';
  let firstResult = '';
  let lastResult = '';
  let lastTalk = '';
  let line = '';
  const codes = new Set<string>();
  const take = (whole: string) => {
    const code = /^\s*\[([A-Z]+_[A-Z_]+)\]$/.exec(whole)?.[1];
    if (code !== undefined) codes.add(code);
    const isFailing = failure !== '' || /^(?:ERROR|FAILED:|Traceback|error:|This is a bug)/.test(whole);
    if (isFailing && failure.length < MAX_FAILURE) failure += `${whole}\n`;
  };
  const write = (text: string) => {
    file.append(text);
    const lines = `${line}${text}`.split('\n');
    line = lines.pop() ?? '';
    for (const whole of lines) take(whole);
  };
  return {
    talk(text) {
      write(text);
      lastTalk = text.trimEnd().split('\n').at(-1) || lastTalk;
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
    lastLine: () => lastResult || lastTalk,
    close: () => file.close(),
  };
}
