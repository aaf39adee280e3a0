import { counted, plainly } from '../../platform/core/text/numbers.ts';
import { visible } from '../../platform/core/text/visible.ts';
import type { ProcessReport } from '../app/process-results.ts';

const MAX_LINES = 100;

/** A line for each thing that went wrong. */
export function describeProblems({ problems }: ProcessReport): string {
  const lines = problems
    .slice(0, MAX_LINES)
    .map(({ file, reason }) => `${visible(file)}: ${visible(reason)}\n`);
  const more = problems.length - MAX_LINES;
  return `${lines.join('')}${more > 0 ? `and ${more} or more: --json names them\n` : ''}`;
}

interface Summary extends ProcessReport {
  readonly file: string;
  readonly stored?: string;
}

export function describeReport({
  file,
  rows,
  files,
  failedFiles,
  failedRows,
  strays,
  stored,
}: Summary): string {
  const read = `${counted(rows, 'iteration')} of ${counted(files, 'file')}`;
  const left = [
    failedFiles > 0 && `${counted(failedFiles, 'file')} could not be read`,
    failedRows > 0 && `${counted(failedRows, 'iteration')} could not be read`,
    strays > 0 && `${counted(strays, 'other entry', 'other entries')} left out`,
  ].filter((part) => part !== false);
  const place = file === '-' ? '' : `${file}: `;
  const saved = stored === undefined ? '' : `Saved as run ${stored}.\n`;
  return plainly(`${place}${read}${left.map((part) => `; ${part}`).join('')}.\n${saved}`);
}
