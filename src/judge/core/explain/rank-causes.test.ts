import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { seededRandom } from '../../../stats/random.ts';
import { medianAbsoluteDeviation } from '../../../stats/robust-estimates.ts';
import { median } from '../../../stats/summary.ts';
import type { ChangePoint, Level } from '../levels/levels.ts';
import type { ExplainedSeries } from './explained-series.ts';
import type { FactColumn, FactGroup, FactValue } from './explanation.ts';
import { explanationSentence } from './explanation-text.ts';
import { rankCauses } from './rank-causes.ts';

const random = seededRandom(5);
const noise = () => (random() + random() + random() + random() - 2) * 1.7;

/** Levels of 100, 110, ... of the given lengths, with one per cent of noise. */
function seriesOf(...lengths: readonly number[]): Float64Array {
  return Float64Array.from(
    lengths.flatMap((length, level) => Array.from({ length }, () => 100 + 10 * level + noise())),
  );
}

/** The series with its true levels, whatever a detector would make of it, and one of the changes between them. */
function explained(lengths: readonly number[], which = 0, values = seriesOf(...lengths)): ExplainedSeries {
  const ends = lengths.map((_, index) => lengths.slice(0, index + 1).reduce((sum, length) => sum + length));
  const levels = ends.map((end, index): Level => {
    const start = end - (lengths[index] ?? 0);
    const usable = values.subarray(start, end).filter(Number.isFinite);
    const scale = medianAbsoluteDeviation(usable);
    return { start, end, value: median(usable), scale, count: usable.length };
  });
  const changes = levels.slice(1).map((after, index): ChangePoint => {
    const before = levels[index] ?? after;
    const difference = after.value - before.value;
    const shift = { difference, low: difference - 1, high: difference + 1, level: 0.95 };
    return { index: after.start, before, after, shift, p: 1e-6 };
  });
  const change = changes[which] ?? assert.fail('there is no change');
  return { values, change, levels: { levels, changes, modes: [], noise: { scale: 1, correlation: 0 } } };
}

function column(
  name: string,
  length: number,
  valueAt: (index: number) => FactValue | undefined,
  group: FactGroup = 'machine',
): FactColumn {
  return { group, name, values: Array.from({ length }, (_, index) => valueAt(index)) };
}

const names = (ranked: ReturnType<typeof rankCauses>) =>
  ranked.causes.map(({ facts }) => facts.map(({ name }) => name).join('+'));

test('a kernel upgrade at the change is ranked first, before commits and what flips each night', () => {
  const series = explained([60, 40]);
  const at = series.change.index;
  const ranked = rankCauses(series, [
    column('garage', 100, (index) => `c${index}`, 'source'),
    column('flag', 100, (index) => index % 2 === 0),
    column('cpu', 100, () => 'EPYC'),
    column('kernel', 100, (index) => (index < at ? '6.1' : '6.5')),
    column('load', 100, () => random(), 'telemetry'),
    column('gone', 100, (index) => (index < 20 ? 'x' : undefined)),
  ]);
  assert.equal(names(ranked)[0], 'kernel');
  const [kernel, ...others] = ranked.causes;
  assert.deepEqual(kernel?.facts, [{ group: 'machine', name: 'kernel', before: '6.1', after: '6.5' }]);
  assert.equal(kernel?.score, 1);
  assert.equal(kernel?.fit, 'good');
  assert.deepEqual(
    others.map(({ fit }) => fit),
    ['poor', 'poor'],
  );
  assert.ok(others.every(({ score }) => score < 0.05));
  assert.equal(ranked.unchanged, 2);
  assert.equal(ranked.unknown, 1);
});

test('what cannot be distinguished is one cause; a commit stays apart', () => {
  const series = explained([30, 30]);
  const at = series.change.index;
  const ranked = rankCauses(series, [
    column('garage', 60, (index) => (index < at ? 'a' : 'b'), 'source'),
    column('kernel', 60, (index) => (index < at ? '6.1' : '6.5')),
    column('microcode', 60, (index) => (index < at ? 1 : 2)),
  ]);
  assert.deepEqual(names(ranked), ['garage', 'kernel+microcode']);
  assert.equal(
    explanationSentence(ranked, [{ name: 'garage', before: 'a', after: 'b' }]),
    'Only difference besides the commit: kernel 6.1 -> 6.5 and microcode 1 -> 2, which changed together.',
  );
});

test('a fact that changed before without effect ranks below one that did not', () => {
  const series = explained([60, 40]);
  const at = series.change.index;
  const ranked = rankCauses(series, [
    column('libc', 100, (index) => (index < 20 ? '2.37' : index < at ? '2.38' : '2.39')),
    column('kernel', 100, (index) => (index < at ? '6.1' : '6.5')),
  ]);
  assert.deepEqual(names(ranked), ['kernel', 'libc']);
  assert.deepEqual(ranked.causes[1]?.elsewhere, { withEffect: 0, without: 1 });
  assert.equal(ranked.causes[1]?.fit, 'partly');
});

test('a fact that also changed at another change, with effect, gains by it', () => {
  const series = explained([40, 40, 40], 1);
  const [first, second] = series.levels.changes.map(({ index }) => index);
  const ranked = rankCauses(series, [
    column('blip', 120, (index) => (index < 10 ? 'x' : index < (second ?? 0) ? 'y' : 'z')),
    column('kernel', 120, (index) => (index < (first ?? 0) ? 1 : index < (second ?? 0) ? 2 : 3)),
  ]);
  assert.deepEqual(names(ranked), ['kernel', 'blip']);
  assert.deepEqual(ranked.causes[0]?.elsewhere, { withEffect: 1, without: 0 });
  assert.ok((ranked.causes[0]?.score ?? 0) > 0.95);
});

test('telemetry counts where it steps with the values, not where it only trembles', () => {
  const series = explained([50, 50]);
  const at = series.change.index;
  const trembling = Array.from({ length: 50 }, (_, number) =>
    column(`sensor ${number}`, 100, () => 40 + noise(), 'telemetry'),
  );
  const ranked = rankCauses(series, [
    ...trembling,
    column('temperature', 100, (index) => (index < at ? 60 : 85) + noise(), 'telemetry'),
    column('broken', 100, () => 'ALARM', 'telemetry'),
  ]);
  assert.deepEqual(names(ranked), ['temperature']);
  assert.equal(ranked.unchanged, 50);
  assert.equal(ranked.unknown, 1);
});

test('telemetry that drifts, or steps by next to nothing, is no cause', () => {
  const series = explained([30, 30]);
  const ranked = rankCauses(series, [
    column('drifting load', 60, (index) => 12 - index / 20 + noise() / 100, 'telemetry'),
    column('pressure', 60, (index) => (index < 30 ? 99.2 : 97.1) + noise() / 100, 'telemetry'),
    column('frequency', 60, (index) => (index < 30 ? 3500 : 3200) + noise(), 'telemetry'),
  ]);
  assert.deepEqual(names(ranked), ['frequency']);
  assert.equal(ranked.unchanged, 2);
});

test('a single new value is explained by a load that it alone has', () => {
  const ranked = rankCauses(explained([40, 1]), [
    column('load', 41, (index) => (index < 40 ? 0.2 + 0.01 * noise() : 14), 'telemetry'),
    column('kernel', 41, () => '6.1'),
  ]);
  assert.deepEqual(names(ranked), ['load']);
});

test('a change in the wrong place by a point is found in a noisy series, and reported with its distance', () => {
  const series = explained([40, 40]);
  const at = series.change.index;
  const noisy = { ...series, change: { ...series.change, before: { ...series.change.before, scale: 6 } } };
  const facts = [column('kernel', 80, (index) => (index < at + 1 ? '6.1' : '6.5'))];
  assert.equal(rankCauses(noisy, facts).causes[0]?.offset, 1);
  assert.deepEqual(rankCauses(series, facts).causes, []);
});

test('facts that are missing here and there are judged by the points that have them', () => {
  const series = explained([60, 40]);
  const at = series.change.index;
  const kernel = (index: number) => (index % 3 === 0 ? (index < at ? 'a' : 'b') : undefined);
  const [cause] = rankCauses(series, [column('kernel', 100, kernel)]).causes;
  assert.equal(cause?.offset, 0);
  assert.equal(cause?.fit, 'good');
});

test('outliers and gaps do not hide the cause', () => {
  const values = seriesOf(60, 40);
  for (const index of [5, 25, 70, 90]) values[index] = 100_000;
  values[30] = Number.NaN;
  const series = explained([60, 40], 0, values);
  const at = series.change.index;
  const ranked = rankCauses(series, [
    column('flag', 100, (index) => index % 2 === 0),
    column('kernel', 100, (index) => (index < at ? 'a' : 'b')),
  ]);
  assert.equal(names(ranked)[0], 'kernel');
  assert.equal(ranked.causes[0]?.fit, 'good');
});

test('200 facts of 2,000 points are ranked alike each time', () => {
  const series = explained([1_200, 800]);
  const at = series.change.index;
  const facts = Array.from({ length: 200 }, (_, number) =>
    column(
      `fact ${number}`,
      2_000,
      number === 77
        ? (index) => (index < at ? 'old' : 'new')
        : number % 4 === 0
          ? (index) => index % (number + 2)
          : number % 4 === 1
            ? () => random()
            : (index) => `${Math.floor(index / (number + 1))}`,
      number % 4 === 1 && number !== 77 ? 'telemetry' : 'machine',
    ),
  );
  const ranked = rankCauses(series, facts);
  assert.equal(names(ranked)[0], 'fact 77');
  assert.deepEqual(rankCauses(series, facts), ranked);
});

test('a switch that is turned on and off again, and the values with it, fits', () => {
  const values = seriesOf(30, 30, 30).map((value, index) => (index < 60 ? value : value - 20));
  for (const which of [0, 1]) {
    const series = explained([30, 30, 30], which, values);
    const [cause] = rankCauses(series, [
      column('turbo', 90, (index) => (index >= 30 && index < 60 ? 'on' : 'off')),
    ]).causes;
    assert.ok((cause?.score ?? 0) > 0.95);
    assert.deepEqual(cause?.elsewhere, { withEffect: 1, without: 0 });
  }
});

test('units and direction of the values do not matter', () => {
  const lengths = [25, 20];
  const facts = [
    column('kernel', 45, (index) => (index < 25 ? 'a' : 'b')),
    column('late', 45, (index) => (index < 26 ? 'a' : 'b')),
    column('flag', 45, (index) => index % 2 === 0),
    column('heat', 45, (index) => (index < 25 ? 50 : 60) + (index % 3), 'telemetry'),
  ];
  const values = seriesOf(...lengths);
  const scores = (list: Float64Array) =>
    rankCauses(explained(lengths, 0, list), facts).causes.map(({ facts: [{ name }], score }) => [
      name,
      score.toFixed(6),
    ]);
  const expected = scores(values);
  const factor = fc.constantFrom(-1000, -1, 1e-6, 0.5, 3, 1e6);
  fc.assert(
    fc.property(factor, (by) => {
      assert.deepEqual(scores(values.map((value) => value * by)), expected);
    }),
    { seed: 5, numRuns: 50 },
  );
});

test('any facts at all give scores from 0 to 1, and every fact is counted once', () => {
  const value = fc.oneof(fc.constantFrom('a', 'b', '', 1, 0, Number.NaN, true, undefined), fc.string());
  const group = fc.constantFrom<FactGroup>('setting', 'source', 'machine', 'telemetry', 'warning');
  const fact = fc.record({
    group,
    name: fc.string(),
    values: fc.array(value, { minLength: 12, maxLength: 12 }),
  });
  fc.assert(
    fc.property(fc.array(fact, { maxLength: 8 }), (facts) => {
      const { causes, unchanged, unknown } = rankCauses(explained([7, 5]), facts);
      const told = causes.reduce((sum, cause) => sum + cause.facts.length, 0);
      assert.equal(told + unchanged + unknown, facts.length);
      assert.ok(causes.every(({ score }) => score >= 0 && score <= 1));
    }),
    { seed: 5 },
  );
});
