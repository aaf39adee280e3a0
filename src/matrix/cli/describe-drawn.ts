import { joinPath } from '../../platform/core/path.ts';
import { counted } from '../../platform/core/text/numbers.ts';
import { visible } from '../../platform/core/text/terminal-text.ts';
import { type DrawnGroup, INDEX } from '../app/draw-reports.ts';

/** A line for each plot that was drawn, and where to begin. */
export function describeFiles(groups: readonly DrawnGroup[], folder: string): string {
  const lines = groups.flatMap(({ folder: inside, drawn }) =>
    drawn.flatMap(({ files: [first] }) =>
      first === undefined ? [] : [`${visible(joinPath(folder, inside, first))}\n`],
    ),
  );
  return `${lines.join('')}${counted(lines.length, 'plot')} drawn: ${joinPath(folder, INDEX)}\n`;
}

/** An ERROR line for each plot that could not be drawn as it was asked for; nothing when all could. */
export function describeFailures(groups: readonly DrawnGroup[], others: readonly string[]): string {
  const failed = groups.flatMap(({ folder, drawn }) =>
    drawn.flatMap(({ plot, problems }) =>
      problems.map((problem) => `${plot}${folder === '' ? '' : ` (${folder})`}: ${problem}`),
    ),
  );
  return [...others, ...failed].map((line) => `ERROR | ${visible(line)}\n`).join('');
}
