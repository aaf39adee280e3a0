import { NightmarkError } from '../../platform/core/errors.ts';
import { directionOf, inBase, toBase } from '../../platform/core/units.ts';
import type { FormatReading } from './format.ts';
import { inferDirection } from './infer-direction.ts';
import type { SampleSet } from './sample.ts';

/** The identity of a set of samples; the unit is the one in the file. */
export interface SetKey {
  readonly benchmark: readonly string[];
  readonly metric: string;
  readonly unit: string;
  /** Absent: as the unit says. "unknown": names and unit are left to `inferDirection`. */
  readonly better?: SampleSet['better'];
  readonly settings?: SampleSet['settings'];
}

/** Takes one value of a set; `where` names it in the sentence that is made when it is of no use. */
export type AddValue = (value: number, where: () => string) => void;

/** Collects what a format finds: sets in the order they were first met, values in base units. */
export interface ReadingBuilder {
  readonly failed: string[];
  readonly skipped: string[];
  set(key: SetKey): AddValue;
  finish(): FormatReading;
}

export function createReading(): ReadingBuilder {
  const sets = new Map<string, OpenSet>();
  const failed: string[] = [];
  const skipped: string[] = [];
  return {
    failed,
    skipped,
    set(key) {
      const scale = toBase(key.unit);
      const { benchmark, metric, settings = {}, better = byUnit(metric, scale.unit) } = key;
      const id = JSON.stringify([benchmark, metric, scale.unit, better, Object.entries(settings).sort()]);
      const open = sets.get(id) ?? { benchmark, metric, unit: scale.unit, better, values: [], settings };
      sets.set(id, open);
      return (value, where) => {
        const converted = inBase(value, scale);
        if (Number.isFinite(converted)) open.values.push(converted);
        else failed.push(`${where()} is ${value}, not a finite number`);
      };
    },
    finish: () => ({
      samples: [...sets.values()].filter(({ values }) => values.length > 0),
      failed,
      skipped,
    }),
  };
}

/** What the unit says, but for rates of what should not be: errors per second. */
function byUnit(metric: string, unit: string): SampleSet['better'] {
  const better = directionOf(unit);
  return better === 'higher' && inferDirection([metric]) === 'lower' ? 'lower' : better;
}

/** Refuses a file that has nothing to count: neither values nor failures nor gaps. */
export function requireNumbers(reading: FormatReading, hint: string): FormatReading {
  const { samples, failed, skipped } = reading;
  if (samples.length + failed.length + skipped.length > 0) return reading;
  throw new NightmarkError('IMPORT_NO_NUMBERS', 'There is no number in it.', { hint });
}

interface OpenSet extends SampleSet {
  readonly values: number[];
}
