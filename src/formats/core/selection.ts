import { NightmarkError } from '../../platform/core/errors.ts';
import { nearestFirst } from '../../platform/core/text/nearest.ts';
import type { ResultMapping } from './format.ts';

/** A mapping at work: what the user asked for, and what of it was found. */
export interface Selection {
  /** Absent: guess. */
  readonly values: readonly string[] | undefined;
  readonly names: readonly string[] | undefined;
  readonly unit: string | undefined;
  readonly better: 'lower' | 'higher' | undefined;
  /** Notes that a column or path exists, for the error about one that does not. */
  offer(column: string): void;
  /** Notes that a wanted column was used. */
  use(wanted: string): void;
  /** Throws when something that was asked for is nowhere. */
  requireAllUsed(): void;
}

export function createSelection({ value, name, unit, better }: ResultMapping): Selection {
  const values = value === undefined ? undefined : [...new Set([value].flat())];
  const names = name === undefined ? undefined : [...new Set([name].flat())];
  const offered = new Set<string>();
  const used = new Set<string>();
  return {
    values,
    names,
    unit,
    better,
    offer: (column) => void offered.add(column),
    use: (wanted) => void used.add(wanted),
    requireAllUsed() {
      for (const wanted of [...(values ?? []), ...(names ?? [])]) {
        if (!used.has(wanted)) throw noColumn(wanted, [...offered]);
      }
    },
  };
}

const SHOWN = 12;

function noColumn(wanted: string, offered: readonly string[]): NightmarkError {
  const nearest = nearestFirst(wanted, offered);
  const rest = nearest.length > SHOWN ? ` and ${nearest.length - SHOWN} more` : '';
  const list = nearest.slice(0, SHOWN).map((column) => JSON.stringify(column));
  return new NightmarkError('IMPORT_NO_COLUMN', `There is no column or key "${wanted}".`, {
    hint: list.length === 0 ? 'There are none at all.' : `There are: ${list.join(', ')}${rest}.`,
  });
}
