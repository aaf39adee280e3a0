import { isSecretKey } from '../../../platform/core/secrets.ts';
import type { JsonObject, JsonValue } from '../../../platform/core/text/json.ts';
import { compareCodePoints, compareNaturally } from '../../../platform/core/text/text-order.ts';
import { flatKeys } from '../flat-keys.ts';
import type { Job } from '../job.ts';
import { HIDDEN_VALUE } from '../shown-job.ts';
import { codeFacts, configFacts, environmentFacts, resultFacts } from './job-aspects.ts';

/** One thing about some jobs: the value of each of them, in their order. */
export interface ComparedRow {
  readonly key: string;
  /** Undefined where a job has none, which counts as different. */
  readonly values: readonly (JsonValue | undefined)[];
  readonly isEqual: boolean;
  /** Of two numbers: what the second has more than the first, relative to it. */
  readonly change?: number;
}

export interface ComparedSection {
  readonly title: 'configuration' | 'code' | 'environment' | 'results';
  readonly rows: readonly ComparedRow[];
}

/** What jobs were told, ran, ran on and gave, side by side. */
export function compareJobs(jobs: readonly Job[], now: number): readonly ComparedSection[] {
  const aspects = [
    { title: 'configuration', factsOf: configFacts, isSorted: true },
    { title: 'code', factsOf: codeFacts, isSorted: false },
    { title: 'environment', factsOf: environmentFacts, isSorted: true },
    { title: 'results', factsOf: (job: Job) => resultFacts(job, now), isSorted: false },
  ] as const;
  return aspects.map(({ title, factsOf, isSorted }) => ({
    title,
    rows: compareFacts(jobs.map(factsOf), isSorted),
  }));
}

function compareFacts(facts: readonly JsonObject[], isSorted: boolean): readonly ComparedRow[] {
  const flat = facts.map((one) => flatKeys(one));
  const keys = [...new Set(flat.flatMap((one) => [...one.keys()]))];
  if (isSorted) keys.sort(compareNaturally);
  return keys.map((key) =>
    compareValues(
      key,
      flat.map((one) => one.get(key)),
    ),
  );
}

function compareValues(key: string, values: readonly (JsonValue | undefined)[]): ComparedRow {
  const [first, ...others] = values.map((value) => (value === undefined ? undefined : canonical(value)));
  const isEqual = others.every((other) => other === first);
  const change = isEqual ? undefined : relativeChange(values);
  const isSecret = isSecretKey(key.slice(key.lastIndexOf('.') + 1));
  const shown = isSecret ? values.map((value) => hidden(value)) : values;
  return { key, values: shown, isEqual, ...(change !== undefined && !isSecret && { change }) };
}

function hidden(value: JsonValue | undefined): JsonValue | undefined {
  return typeof value === 'string' ? HIDDEN_VALUE : value;
}

function relativeChange(values: readonly (JsonValue | undefined)[]): number | undefined {
  const [before, after] = values;
  if (values.length !== 2 || typeof before !== 'number' || typeof after !== 'number') return undefined;
  return before === 0 ? undefined : (after - before) / Math.abs(before);
}

/** Objects in lists are equal in whatever order their keys are. */
function canonical(value: JsonValue): string {
  return JSON.stringify(value, (_, inner: JsonValue) => {
    if (typeof inner !== 'object' || inner === null || Array.isArray(inner)) return inner;
    return Object.fromEntries(Object.entries(inner).sort(([a], [b]) => compareCodePoints(a, b)));
  });
}
