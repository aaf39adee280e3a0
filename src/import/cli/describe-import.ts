import type { FollowedChange } from '../../home/core/changes/change-ledger.ts';
import type { JudgeReport } from '../../judge/app/changes/judge-home.ts';
import { describeNews } from '../../judge/cli/changes/describe-news.ts';
import { changeText } from '../../judge/core/changes/change-text.ts';
import type { Gate } from '../../judge/core/changes/gate.ts';
import { counted } from '../../platform/core/text/numbers.ts';
import { visible } from '../../platform/core/text/terminal-text.ts';
import type { FileReading } from '../app/import-request.ts';
import type { StoredRun } from '../app/store-import.ts';

/** What an import did. */
export interface ImportOutcome {
  readonly home: string;
  readonly isDryRun: boolean;
  readonly files: readonly FileReading[];
  readonly stored: readonly StoredRun[];
  /** A sentence: the judge failed. Absent: there was nothing new, or it was a dry run. */
  readonly judged?: JudgeReport | string;
  /** Where nothing is new: open changes that begin with runs that were there already. */
  readonly begun?: readonly FollowedChange[];
}

const MAX_FILES = 20;
const MAX_REASONS = 5;
const MAX_NAMES = 10;

export function describeImport(outcome: ImportOutcome): string {
  const { home, isDryRun, files, stored, judged, begun = [] } = outcome;
  const lines = files.slice(0, MAX_FILES).map(({ file, format, runs, ...counts }) => {
    const several = runs.length === 1 ? '' : `, ${counted(runs.length, 'run')}`;
    return `${visible(file)}: ${countsText(counts)} (${format}${several})`;
  });
  if (files.length > MAX_FILES)
    lines.push(`and ${counted(files.length - MAX_FILES, 'more file')}; all: ${totals(files)}`);
  const fresh = stored.filter(({ state }) => state === 'new');
  const known = stored.length - fresh.length;
  const names = [...new Set(fresh.map(({ run }) => visible(run.experiment)))].sort();
  const more = names.length > MAX_NAMES ? ` and ${names.length - MAX_NAMES} more` : '';
  const to = names.length === 0 ? '' : ` as ${names.slice(0, MAX_NAMES).join(', ')}${more}`;
  const was = known === 0 ? '' : `; ${counted(known, 'run was', 'runs were')} there already`;
  lines.push(`${counted(fresh.length, 'run')} ${isDryRun ? 'would be ' : ''}stored in ${home}${to}${was}.`);
  lines.push(...knownLines(stored));
  if (begun.length > 0)
    lines.push(`${counted(begun.length, 'open change begins', 'open changes begin')} with them:`);
  for (const change of begun.slice(0, MAX_NAMES)) lines.push(`  ${change.id}  ${changeText(change)}`);
  if (typeof judged === 'object') {
    const news = describeNews(judged);
    lines.push(
      ...(news.length > 0 ? news : [`${counted(judged.judged, 'series', 'series')} judged: no change.`]),
    );
  }
  return `${lines.join('\n')}\n`;
}

/** Why runs were not stored. */
function knownLines(stored: readonly StoredRun[]): readonly string[] {
  const known = stored.filter(({ state }) => state === 'known');
  const more = known.length - MAX_REASONS;
  return [
    ...known
      .slice(0, MAX_REASONS)
      .map(({ id, run }) => `  ${visible(run.file)}: run ${id} has the same results, time and commit`),
    ...(more > 0 ? [`  and ${more} more`] : []),
  ];
}

/** Why results were not used, a few of each file. */
export function describeFailures(files: readonly FileReading[]): string {
  const lines = files.slice(0, MAX_FILES).flatMap(({ file, failed }) => {
    const more = failed.length - MAX_REASONS;
    return [
      ...failed.slice(0, MAX_REASONS).map((reason) => `${file}: failed: ${reason}`),
      ...(more > 0 ? [`${file}: and ${more} more failed`] : []),
    ];
  });
  return lines.map((line) => `${visible(line)}\n`).join('');
}

export function importJson({ home, isDryRun, files, stored, judged }: ImportOutcome, gate?: Gate): string {
  const runsOf = (file: FileReading) =>
    stored.flatMap(({ id, state, run }) => {
      const { at, experiment, commits, branch, machine } = run;
      const facts = { ...(branch !== undefined && { branch }), ...(machine && { machine: machine.name }) };
      return file.runs.includes(run) ? [{ id, state, at, experiment, commits, ...facts }] : [];
    });
  return `${JSON.stringify({
    home,
    dryRun: isDryRun,
    files: files.map((file) => ({
      ...{ file: file.file, format: file.format, read: file.read },
      ...{ failed: file.failed, skipped: file.skipped, runs: runsOf(file) },
    })),
    ...(typeof judged === 'object' && { changes: judged }),
    ...(gate && { gate }),
  })}\n`;
}

function totals(files: readonly FileReading[]): string {
  return countsText({
    read: files.reduce((sum, { read }) => sum + read, 0),
    failed: files.flatMap(({ failed }) => failed),
    skipped: files.flatMap(({ skipped }) => skipped),
  });
}

function countsText({ read, failed, skipped }: Pick<FileReading, 'read' | 'failed' | 'skipped'>): string {
  return `${read} read, ${failed.length} failed, ${skipped.length} skipped`;
}
