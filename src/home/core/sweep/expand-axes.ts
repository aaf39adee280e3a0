import { identityOf } from '../../../formats/core/kpi/matrix-entry.ts';
import type { JsonObject, JsonValue } from '../../../platform/core/text/json.ts';
import type { Axis, MatrixExperiment } from './matrix-plan.ts';

/** Settings of one test, and the numbers of them that are written in another way than their value says. */
export interface Combination {
  readonly settings: JsonObject;
  readonly texts: Readonly<Record<string, string>>;
}

/** How many combinations the axes of an experiment make, before any is left out. */
export function countCombinations({ axes, include, repeats }: MatrixExperiment): number {
  const product = (list: readonly Axis[]) => list.reduce((count, { values }) => count * values.length, 1);
  const included = include.reduce((sum, extra) => sum + product(toAxes(extra)), 0);
  return (product(axes) + included) * product(repeats);
}

/** All combinations of an experiment in their order: keys as in the file, the last axis fastest, included ones last. */
export function* combinationsOf(experiment: MatrixExperiment): Generator<Combination> {
  const { axes, include, exclude, conditions, repeats } = experiment;
  for (const combination of product([...axes, ...repeats])) {
    const whole = withConditions(combination, conditions);
    if (!exclude.some((rule) => matches(whole.settings, rule))) yield whole;
  }
  const fixed = axes.filter(({ values }) => values.length === 1);
  for (const extra of include) {
    for (const combination of product([...fixed, ...toAxes(extra), ...repeats])) {
      yield withConditions(combination, conditions);
    }
  }
}

/** Whether the settings have all values of the rule; a list in the rule means any of its values. */
export function matches(settings: JsonObject, rule: JsonObject): boolean {
  return Object.entries(rule).every(([key, wanted]) => {
    if (!Object.hasOwn(settings, key)) return false;
    const value = settings[key] as JsonValue;
    return Array.isArray(wanted) ? wanted.some((one) => isEqual(value, one)) : isEqual(value, wanted);
  });
}

function isEqual(a: JsonValue, b: JsonValue): boolean {
  if (typeof a !== 'object' || typeof b !== 'object') return a === b;
  return identityOf({ it: a }) === identityOf({ it: b });
}

/** Counts through the axes like the digits of a number. */
function* product(axes: readonly Axis[]): Generator<Combination> {
  if (axes.some(({ values }) => values.length === 0)) return;
  const digits = axes.map(() => 0);
  for (;;) {
    yield combine(axes, digits);
    let place = axes.length - 1;
    while (place >= 0 && digits[place] === (axes[place]?.values.length ?? 0) - 1) digits[place--] = 0;
    if (place < 0) return;
    digits[place] = (digits[place] ?? 0) + 1;
  }
}

function combine(axes: readonly Axis[], digits: readonly number[]): Combination {
  const settings: [string, JsonValue][] = [];
  const texts: [string, string][] = [];
  axes.forEach((axis, place) => {
    const digit = digits[place] ?? 0;
    if (axis.type === 'alternatives') settings.push(...Object.entries(axis.values[digit] ?? {}));
    else {
      const { value = null, text } = axis.values[digit] ?? {};
      settings.push([axis.key, value]);
      if (text !== undefined) texts.push([axis.key, text]);
    }
  });
  return withoutStale(settings, texts);
}

/** A later value of the same key wins, and with it its text. */
function withoutStale(
  settings: readonly (readonly [string, JsonValue])[],
  texts: readonly [string, string][],
): Combination {
  const merged = Object.fromEntries(settings);
  if (texts.length === 0) return { settings: merged, texts: {} };
  const good = texts.filter(([key, text]) => merged[key] === Number(text));
  return { settings: merged, texts: Object.fromEntries(good) };
}

function withConditions(combination: Combination, conditions: MatrixExperiment['conditions']): Combination {
  if (conditions.length === 0) return combination;
  let { settings } = combination;
  for (const { when, set } of conditions) if (matches(settings, when)) settings = { ...settings, ...set };
  return withoutStale(Object.entries(settings), Object.entries(combination.texts));
}

function toAxes(extra: JsonObject): readonly Axis[] {
  return Object.entries(extra).map(([key, value]) => ({
    type: 'setting',
    key,
    values: (Array.isArray(value) ? (value as readonly JsonValue[]) : [value]).map((one) => ({ value: one })),
  }));
}
