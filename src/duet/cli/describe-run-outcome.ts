import { counted, plainly } from '../../platform/core/text/numbers.ts';
import { shellQuote } from '../../platform/core/text/shell-quote.ts';
import { visible } from '../../platform/core/text/visible.ts';
import type { DuetRunOutcome, FileOutcome } from '../app/run-duets.ts';
import { runLabel } from '../app/run-effects.ts';
import type { DuetRunRecord } from '../core/duet-journal.ts';
import type { LogLine } from './describe-run-event.ts';

/** The end of the log, in the words of the original. */
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
