import type { DeclaredDirection } from '../../../home/core/changes/directions.ts';
import { counted } from '../../../platform/core/text/numbers.ts';
import { visible } from '../../../platform/core/text/terminal-text.ts';
import type { DirectedSeries, DirectionList } from '../../app/series/list-directions.ts';

const MAX_ROWS = 100;
const MAX_NAMES = 10;

interface ShownList {
  readonly home: string;
  readonly isAll: boolean;
}

/** What is declared, and every series with its direction. */
export function describeDirections({ rules, series }: DirectionList, { home, isAll }: ShownList): string {
  const count = (wanted: (one: DirectedSeries) => boolean) => series.filter(wanted).length;
  const counts = [
    `${count(({ from }) => from === 'declared')} declared`,
    `${count(({ from }) => from === 'format')} given by results`,
    `${count(({ from }) => from === 'inferred')} inferred`,
    `${count(({ direction }) => direction === 'unknown')} unknown`,
  ];
  const rows = isAll ? series : series.slice(0, MAX_ROWS);
  const more = series.length - rows.length;
  const lines = [
    series.length === 0
      ? 'No series.'
      : `${counted(series.length, 'series', 'series')}: ${counts.join(', ')}.`,
    ...rules.map(
      ({ pattern, experiment, better, series: matched }) =>
        `  ${visible(pattern)}${experiment === undefined ? '' : ` of ${visible(experiment)}`}: ${better} (${counted(matched, 'series', 'series')})`,
    ),
    ...rows.map((one) => `  ${rowText(one)}`),
    ...(more > 0 ? [`  and ${more} more: --all`] : []),
    `To declare one: nightmark directions ${home} PATTERN lower|higher|none`,
  ];
  return `${lines.join('\n')}\n`;
}

function rowText({ direction, from, name, unit }: DirectedSeries): string {
  const origin = from === undefined || from === 'format' ? '' : from;
  return `${direction.padEnd(8)}${origin.padEnd(9)} ${visible(name)}${unit === '' ? '' : ` [${visible(unit)}]`}`;
}

export function directionsJson(home: string, { rules, series }: DirectionList): string {
  const rows = series.map(({ name, unit, direction, from }) => ({
    ...{ series: name, unit, direction },
    ...(from !== undefined && { from }),
  }));
  return `${JSON.stringify({ home, rules, series: rows })}\n`;
}

export interface Declared {
  readonly file: string;
  readonly isChanged: boolean;
  readonly pattern: string;
  readonly better: DeclaredDirection | undefined;
  readonly list: DirectionList;
  /** Series that match, and have another direction all the same. */
  readonly others: readonly DirectedSeries[];
}

export function describeDeclared({ file, isChanged, pattern, better, list, others }: Declared): string {
  const names = others.slice(0, MAX_NAMES).map(({ name }) => visible(name));
  const more = others.length - names.length;
  const what = better === undefined ? 'declared no longer' : better;
  return [
    `${visible(pattern)}: ${what} (${counted(list.series.length, 'series', 'series')}), ${isChanged ? 'written to' : 'as it was in'} ${file}.`,
    ...(list.series.length === 0 ? ['No series has such a name yet: nightmark directions lists them.'] : []),
    ...(others.length > 0
      ? [
          `Another pattern counts before it for ${names.join(', ')}${more > 0 ? ` and ${more} more` : ''}: see the experiment in the definition.`,
        ]
      : []),
    '',
  ].join('\n');
}
