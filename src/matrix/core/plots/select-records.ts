import { ALL_VALUES, type MatrixEntry } from '../../../formats/core/kpi/matrix-entry.ts';
import type { PlotRequest } from '../../../formats/core/kpi/workload.ts';
import { NightmarkError } from '../../../platform/core/errors.ts';
import type { JsonValue } from '../../../platform/core/text/json.ts';
import { nearest } from '../../../platform/core/text/nearest.ts';
import { settingText } from '../../../platform/core/text/text-order.ts';
import type { Matrix } from '../matrix.ts';
import { EVERY_VALUE, type PlotQuery } from './plot-query.ts';

/**
 * The entries that a query selects. A setting that is not named shows all its values, a rolling one ("@seed") its tests
 * gathered, "experiment" the current one. A fixed setting filters also when nothing varies.
 */
export function selectRecords(matrix: Matrix, query: PlotQuery): PlotRequest {
  refuseUnknown([...query.settings.keys(), ...query.order], matrix);
  const choices = [...matrix.settings].map(([key, values]) => choose(key, values, query));
  const varying = choices.filter((choice) => choice.varies);
  const byKey = new Map(varying.map((choice) => [choice.key, choice]));
  const orderedVars = [...new Set([...query.order, ...byKey.keys()])].filter((key) => byKey.has(key));
  const axes = orderedVars.flatMap((key) => byKey.get(key) ?? []);
  return {
    entries: entriesOf(matrix, choices, axes),
    all: matrix.entries,
    settings: Object.fromEntries(
      choices.flatMap(({ key, values, varies }) => (varies ? [] : [[key, values[0] ?? null] as const])),
    ),
    settingLists: axes.map(({ key, values }) => values.map((value) => [key, value] as const)),
    variables: Object.fromEntries(axes.map(({ key, values }) => [key, values])),
    orderedVars,
    cfg: query.cfg,
  };
}

interface Choice {
  readonly key: string;
  /** Allowed values, in order. */
  readonly values: readonly JsonValue[];
  readonly varies: boolean;
}

function choose(key: string, all: readonly JsonValue[], { settings }: PlotQuery): Choice {
  const isRolling = key.startsWith('@');
  const single = isRolling ? all.filter((value) => value !== ALL_VALUES) : all;
  const wanted = settings.get(key);
  if (wanted?.includes(EVERY_VALUE)) return { key, values: single, varies: true };
  if (wanted) {
    const values = wanted.flatMap((text) => valuesOf(key, text, all));
    return { key, values, varies: values.length > 1 };
  }
  // Tests without the rolling setting are shown beside those that are gathered over it.
  if (isRolling && all.includes(ALL_VALUES)) {
    return { key, values: [ALL_VALUES, ...all.filter((value) => value === null)], varies: false };
  }
  if (key === 'experiment' && all.includes('current')) return { key, values: ['current'], varies: false };
  return { key, values: single, varies: single.length > 1 };
}

/** The values that a text stands for: 4 means both 4 and "4". */
function valuesOf(key: string, text: string, all: readonly JsonValue[]): readonly JsonValue[] {
  const found = all.filter((value) => settingText(value) === text || String(value) === text);
  if (found.length > 0) return found;
  const names = all.map(settingText);
  const close = nearest(text, names);
  throw new NightmarkError('MATRIX_NO_SUCH_VALUE', `No test has ${key}=${text}.`, {
    hint: close === undefined ? `There is: ${names.slice(0, 20).join(', ')}.` : `Did you mean ${close}?`,
  });
}

function refuseUnknown(keys: readonly string[], { settings }: Matrix): void {
  for (const key of keys) {
    if (settings.has(key)) continue;
    const names = [...settings.keys()];
    const close = nearest(key, names);
    throw new NightmarkError('MATRIX_NO_SUCH_SETTING', `No test has a setting "${key}".`, {
      hint: close === undefined ? `There are: ${names.join(', ')}.` : `Did you mean ${close}?`,
    });
  }
}

/**
 * In the order of all points that the axes span, the last axis varying fastest. The entries are sorted; looking up each
 * point would be slow, as ten settings span far more points than there are tests.
 */
function entriesOf(
  { entries, gathered }: Matrix,
  choices: readonly Choice[],
  axes: readonly Choice[],
): readonly MatrixEntry[] {
  const allowed = choices.map(({ key, values }) => [key, new Set(values)] as const);
  const positions = axes.map(
    ({ key, values }) => [key, new Map(values.map((value, at) => [value, at]))] as const,
  );
  return [...entries, ...gathered]
    .filter(({ settings }) => allowed.every(([key, values]) => fits(settings[key] ?? null, values)))
    .map((entry) => ({
      entry,
      at: positions.map(([key, position]) => position.get(entry.settings[key] ?? null) ?? position.size),
    }))
    .sort((a, b) => a.at.reduce((order, position, axis) => order || position - (b.at[axis] ?? 0), 0))
    .map(({ entry }) => entry);
}

/** Lists and mappings do not count as values of a setting, so they always fit. */
function fits(value: JsonValue, values: ReadonlySet<JsonValue>): boolean {
  return values.has(value) || (typeof value === 'object' && value !== null);
}
