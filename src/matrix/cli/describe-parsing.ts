import type { JsonValue } from '../../platform/core/text/json.ts';
import { counted, plainly } from '../../platform/core/text/numbers.ts';
import { visible } from '../../platform/core/text/terminal-text.ts';
import { settingText } from '../../platform/core/text/text-order.ts';
import type { ParseReport } from '../app/parse-report.ts';
import type { Overview } from './read-overview.ts';

const MAX_LINES = 40;
const MAX_VALUES = 20;
/** Of the name of a setting: as wide as the original has it. */
const NAME_WIDTH = 20;

/** A line for each thing that went wrong. */
export function describeParseProblems({ problems, moreProblems }: ParseReport): string {
  const lines = problems
    .slice(0, MAX_LINES)
    .map(({ location, reason }) => `${visible(location)}: ${visible(reason)}\n`);
  const more = problems.length - lines.length + moreProblems;
  return `${lines.join('')}${more > 0 ? `and ${more} more\n` : ''}`;
}

/** The settings with their values, then the counts. */
export function describeMatrix({ report, settings }: Overview): string {
  const rows = [...settings].map(
    ([key, values]) => `${visible(key).padEnd(NAME_WIDTH)} ${valuesText(values)}\n`,
  );
  return plainly(`${rows.join('')}${describeCounts(report)}`);
}

function describeCounts(report: ParseReport): string {
  const { entries, gathered, tests, whole, partial, unfinished, broken, filtered, duplicates, cached } =
    report;
  const parts = [
    `${whole} whole`,
    partial > 0 && `${partial} partial`,
    unfinished > 0 && `${unfinished} unfinished or skipped`,
    broken > 0 && `${broken} broken`,
    filtered > 0 && `${filtered} filtered out`,
    duplicates > 0 && `${duplicates} left out as duplicates`,
    cached > 0 && `${cached} from the cache`,
  ].filter((part) => part !== false);
  const all = counted(entries, 'entry', 'entries');
  const groups = gathered > 0 ? ` and ${gathered} gathered` : '';
  return `${all}${groups} of ${counted(tests, 'test directory', 'test directories')}: ${parts.join(', ')}.\n`;
}

function valuesText(values: readonly JsonValue[]): string {
  const shown = values.slice(0, MAX_VALUES).map((value) => visible(settingText(value)));
  const more = values.length - shown.length;
  return `${shown.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}
