import { plainCell } from '../../platform/core/text/csv.ts';
import type { DuetList } from './read-duet-list.ts';

const COLUMNS = 'duet,names,place,began,ended,state,planned runs,done,failed\n';

/** Every duet of the home as a line; its verdicts are in the table of each. */
export function duetsCsv({ duets }: Pick<DuetList, 'duets'>): string {
  const lines = duets.map(({ id, names, place, at, endedAt, state, planned, done, failed }) => {
    const times = [at, endedAt].map((one) => (one === undefined ? '' : new Date(one).toISOString()));
    const counts = [planned, done, failed].map(String);
    return `${[id, names.join(' '), place, ...times, state, ...counts].map(plainCell).join(',')}\n`;
  });
  return COLUMNS + lines.join('');
}
