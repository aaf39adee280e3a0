import { plainCell } from '../../../platform/core/text/csv.ts';
import type { MachinesView } from './machine-view.ts';

const COLUMNS =
  'machine,fingerprint,noise,noise low,noise high,nights,runs,first seen,last seen,became another,what it is\n';

/** Every machine as a line. */
export function machinesCsv({ machines }: Pick<MachinesView, 'machines'>): string {
  return (
    COLUMNS +
    machines
      .map(({ key, ids, noise, nights, runs, firstAt, lastAt, changedAt, summary }) => {
        const noises = [noise?.median, noise?.low, noise?.high].map((one) => String(one ?? ''));
        const times = [firstAt, lastAt, changedAt].map((at) =>
          at === undefined ? '' : new Date(at).toISOString(),
        );
        const cells = [key, ids[0] ?? '', ...noises, String(nights), String(runs), ...times, summary];
        return `${cells.map(plainCell).join(',')}\n`;
      })
      .join('')
  );
}
