import type { SampleSet } from '../../../formats/core/sample.ts';
import { isJsonObject, type JsonValue } from '../../../platform/core/text/json.ts';

/** The samples of one task as the night wrote them: {"samples": [...]}. */
export function readSamples(text: string): readonly SampleSet[] {
  const parsed = JSON.parse(text) as JsonValue;
  const samples = isJsonObject(parsed) ? parsed['samples'] : undefined;
  if (!Array.isArray(samples)) throw new Error('It has no list "samples".');
  return samples.map((set: JsonValue, index) => {
    if (!isSampleSet(set)) throw new Error(`Entry ${index + 1} of "samples" is no set of samples.`);
    return set;
  });
}

function isSampleSet(value: unknown): value is SampleSet {
  const set = value as Partial<SampleSet> | null;
  return (
    Array.isArray(set?.benchmark) &&
    set.benchmark.every((part) => typeof part === 'string') &&
    typeof set.metric === 'string' &&
    typeof set.unit === 'string' &&
    ['lower', 'higher', 'unknown'].includes(set.better ?? '') &&
    Array.isArray(set.values) &&
    set.values.every((sample) => typeof sample === 'number') &&
    typeof set.settings === 'object' &&
    set.settings !== null
  );
}
