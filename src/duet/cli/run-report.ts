import pc from 'picocolors';
import type { CliContext } from '../../platform/cli/command.ts';
import { counted, formatDuration, plainly } from '../../platform/core/text/numbers.ts';
import { shellQuote } from '../../platform/core/text/shell.ts';
import { visible } from '../../platform/core/text/terminal-text.ts';
import type { DuetRunOutcome } from '../app/run-duets.ts';
import { type DuetRunEvent, runLabel } from '../app/run-effects.ts';
import type { FileOutcome } from '../app/run-file.ts';
import type { PlannedRun } from '../core/duet.ts';
import type { DuetRunRecord } from '../core/duet-journal.ts';

interface RunReporter {
  show(event: DuetRunEvent): void;
  log(line: LogLine): void;
  end(): void;
}

/** The log on stderr; on a terminal without the steps of each run, but with a last line for the progress. */
export function runReporter(context: CliContext): RunReporter {
  return context.stderr.isTerminal ? liveReporter(context) : lineReporter(context);
}

function lineReporter({ stderr, clock }: CliContext): RunReporter {
  const log = (line: LogLine) => stderr.write(`${formatLine(line, clock.wall(clock.now()))}\n`);
  return { show: (event) => describeRunEvent(event).forEach(log), log, end() {} };
}

/** Terminals without a size say 0. */
const MIN_COLUMNS = 40;

type RunStarted = Extract<DuetRunEvent, { type: 'run-started' }>;

function liveReporter({ stderr, clock }: CliContext): RunReporter {
  const colors = pc.createColors(stderr.hasColor);
  let now: RunStarted | undefined;
  let hasEnded = false;
  const draw = () => {
    if (!now) return;
    const { index, total, run, at, leftMs } = now;
    const elapsed = clock.now() - at;
    const left = leftMs === undefined ? '' : `, about ${duration(Math.max(0, leftMs - elapsed))} left`;
    const text = `[${index + 1}/${total}] ${visible(describePlanned(run))} ${duration(elapsed)}${left}`;
    stderr.write(`\r\u001b[K${colors.cyan(text.slice(0, Math.max(MIN_COLUMNS, stderr.columns - 1)))}`);
  };
  const timer = setInterval(draw, 200);
  timer.unref();
  const log = (line: LogLine) => {
    const text = formatLine(line, clock.wall(clock.now()));
    const paint = { I: colors.dim, W: colors.yellow, E: colors.red }[line.level];
    stderr.write(`\r\u001b[K${paint(text)}\n`);
  };
  return {
    show(event) {
      if (event.type === 'run-started') now = event;
      else if (event.type === 'run-ended') {
        const { run, outcome, startedAt, endedAt } = event.record;
        const mark = outcome === 'done' ? colors.green('✓') : colors.red('✕');
        const text = `${visible(describePlanned(run))} ${outcome} ${duration(endedAt - startedAt)}`;
        stderr.write(`\r\u001b[K${mark} ${text}\n`);
        now = undefined;
      } else if (event.type !== 'step') describeRunEvent(event).forEach(log);
      draw();
    },
    log,
    end() {
      if (hasEnded) return;
      hasEnded = true;
      clearInterval(timer);
      now = undefined;
      stderr.write('\r\u001b[K');
    },
  };
}

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/** "Nov 15 19:05:57 <logger padded to 35> I  message", as the original writes it. */
function formatLine(
  { logger, level, text }: LogLine,
  { month, day, hour, minute, second }: ReturnType<CliContext['clock']['wall']>,
): string {
  const two = (value: number) => String(value).padStart(2, '0');
  const time = `${MONTHS[month - 1]} ${two(day)} ${[hour, minute, second].map(two).join(':')}`;
  return `${time} ${visible(logger).padEnd(35)} ${level}  ${text}`;
}

function duration(ms: number): string {
  return plainly(formatDuration(ms));
}

/** One line of the log, with the levels of the original: information, warning, error. */
interface LogLine {
  readonly logger: string;
  readonly level: 'I' | 'W' | 'E';
  readonly text: string;
}

/** An event as lines of the log; readers of the original's log search for this text. */
function describeRunEvent(event: DuetRunEvent): readonly LogLine[] {
  if (event.type === 'refused') {
    return [{ logger: 'duet', level: 'E', text: `Config error: ${event.file}: ${event.reason}` }];
  }
  const { name: logger } = event;
  const info = (...texts: readonly string[]) =>
    texts.map((text): LogLine => ({ logger, level: 'I', text: visible(text) }));
  switch (event.type) {
    case 'file-started':
      return info(...describeStart(event));
    case 'artifacts':
      return info('Gather artifacts');
    case 'run-started': {
      const { index, total, leftMs } = event;
      const left = leftMs === undefined ? '' : `, about ${plainly(formatDuration(leftMs))} left`;
      return info(`PROGRESS ${index}/${total}${left}`);
    }
    case 'step':
      return info(`${runLabel(event.run)} ${event.step}`);
    case 'output':
      return info(...event.text.split('\n').map((line) => `>    ${event.side}: ${line}`));
    case 'run-problem': {
      const { kind, text } = event.problem;
      const level = kind === 'TIMEOUT' || kind === 'CLEANUP' ? 'W' : 'E';
      return [{ logger, level, text: visible(`${kind}: ${runLabel(event.run)}: ${text}`) }];
    }
    case 'note':
      return info(event.text);
    case 'warning':
      return [{ logger, level: 'W', text: visible(event.text) }];
    case 'run-ended':
      return [];
  }
}

/** A run with what the plan has drawn for it: "duet.fop.0 AB", "seqn.fop.0 A". */
function describePlanned(run: PlannedRun): string {
  return `${runLabel(run)} ${run.type === 'seqn' ? run.pair : run.order}`;
}

function describeStart(event: Extract<DuetRunEvent, { type: 'file-started' }>): readonly string[] {
  const { path, seed, engine, filter, excluded, plan, done } = event;
  return [
    `START DUET ${path}`,
    `Seed: ${seed}`,
    ...(engine === undefined ? [] : [`Docker command: ${engine}`]),
    ...(excluded === 0 ? [] : [`Excluded ${excluded} benchmarks not matching filter [${filter.join(', ')}]`]),
    `PLAN: [${plan.map(describePlanned).join(', ')}]`,
    ...(done === 0 ? [] : [`${done} of ${plan.length} runs were done before`]),
  ];
}

/** The end of the log, with the text of the original. */
export function summaryLines({ files, dir }: DuetRunOutcome): readonly LogLine[] {
  const line = (level: LogLine['level'], text: string): LogLine => ({ logger: 'duet', level, text });
  const lines = [line('I', 'SUMMARY:')];
  for (const { name, records } of files) {
    const warnings = tags(records, ['TIMEOUT', 'CLEANUP']);
    const errors = tags(records, ['RUN', 'RESULTS']);
    if (warnings.length > 0)
      lines.push(line('W', `${name}: ${warnings.length} warnings: [${warnings.join(', ')}]`));
    if (errors.length > 0) lines.push(line('E', `${name}: ${errors.length} errors: [${errors.join(', ')}]`));
  }
  lines.push(line('I', `RESULTS: ${dir}`));
  return lines.map((it) => ({ ...it, text: visible(it.text) }));
}

/** For programs: what --json prints. */
export function outcomeJson(
  { dir, files, isInterrupted }: DuetRunOutcome,
  refused: readonly string[],
): string {
  const summary = {
    results: dir,
    files: files.map(({ file, name, seed, total, records }) => ({
      file,
      name,
      seed,
      runs: total,
      ended: records.length,
      failed: records.filter(({ outcome }) => outcome === 'failed').map(describeFailed),
      timeouts: records.filter(({ outcome }) => outcome === 'timeout').map(describeFailed),
    })),
    refused,
    interrupted: isInterrupted,
  };
  return `${JSON.stringify(summary)}\n`;
}

/** For people: the answer first, then what to do next. */
export function outcomeText(outcome: DuetRunOutcome): string {
  const { dir, files, isInterrupted } = outcome;
  const lines = files.flatMap((file) => [
    describeFile(file),
    ...file.kept.map((place) => `  kept: ${visible(place)}`),
  ]);
  const given = files.map(({ file }) => shellQuote(file)).join(' ');
  lines.push(
    isInterrupted
      ? `Interrupted. To complete it: nightmark duet run --resume -o ${shellQuote(dir)} ${given}`
      : `Results in ${dir}. Next: nightmark duet analyze ${shellQuote(dir)}`,
  );
  return `${lines.join('\n')}\n`;
}

function describeFile({ name, total, ran, records, seed }: FileOutcome): string {
  const count = (wanted: DuetRunRecord['outcome']) =>
    records.filter(({ outcome }) => outcome === wanted).length;
  const parts = [
    `${count('done')} of ${plainly(counted(total, 'run'))} fine`,
    ...(count('failed') === 0 ? [] : [`${count('failed')} failed`]),
    ...(count('timeout') === 0 ? [] : [`${count('timeout')} stopped at their timeout`]),
    ...(records.length === total ? [] : [`${total - records.length} still to do`]),
    ...(ran === 0 && records.length === total ? ['nothing was left to run'] : []),
  ];
  return `${visible(name)}: ${parts.join(', ')} (seed ${seed})`;
}

function describeFailed({ run, problems, sides }: DuetRunRecord) {
  const exits = Object.fromEntries(Object.entries(sides).map(([side, { exit }]) => [side, exit ?? null]));
  return { run: runLabel(run), exits, problems: problems.map(({ kind, text }) => `${kind}: ${text}`) };
}

/** TIMEOUT:duet.fop.0, once for each run and kind. */
function tags(records: readonly DuetRunRecord[], kinds: readonly string[]): readonly string[] {
  const found = records.flatMap(({ run, problems }) =>
    problems.flatMap(({ kind }) => (kinds.includes(kind) ? [`${kind}:${runLabel(run)}`] : [])),
  );
  return [...new Set(found)];
}
