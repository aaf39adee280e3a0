import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { JobSeriesDocument } from '../../core/job-documents.ts';
import {
  cellsOf,
  extentOf,
  legendOf,
  usualPattern,
  valuesOf,
  varyingProperties,
} from './curve-properties.ts';
import { meanCurves, meanOf } from './mean-curves.ts';
import { firstFrom } from './plot-places.ts';
import {
  averagedByX,
  type Curve,
  measuresOf,
  readCurves,
  smoothed,
  stepsOf,
  tagsOf,
  usualX,
} from './read-curves.ts';
import { readState, readStateJson, stateJson, stateParameters } from './series-state.ts';

const job = (id: string, name: string, config: Record<string, number>) => ({
  ...{ id, name, experiment: 'e', project: 'p', user: 'u', startedAt: 1_000, config },
});
const document: JobSeriesDocument = {
  jobs: [
    job('aaaaaa1', 'one', { lr: 0.1, seed: 1, depth: 18 }),
    job('aaaaaa2', 'two', { lr: 0.1, seed: 2, depth: 18 }),
  ],
  isCut: false,
  series: [
    {
      ...{ job: 0, measurement: 'loss', tags: { split: 'train' }, times: [2_000, 3_000, 4_000, 5_000] },
      fields: { value: [4, 2, 'nan', 1], epoch: [1, 1, 2, 3] },
    },
    {
      ...{ job: 1, measurement: 'loss', tags: { split: 'train' }, times: [3_000, 4_000, 5_000] },
      fields: { value: [5, 3, 2], epoch: [1, 2, 3] },
    },
    { job: 1, measurement: 'gpu', tags: { card: 0 }, times: [2_000], fields: { used: [7] } },
  ],
};
const loss = measuresOf(document).filter(({ name }) => name === 'loss');
const curves = readCurves(document, { measures: loss, tags: [], x: 'epoch' });
const made = (properties: Record<string, string>, x: number[], y: number[]): Curve => ({
  ...{ key: JSON.stringify(properties), properties, odd: new Float64Array() },
  ...{ x: Float64Array.from(x), y: Float64Array.from(y) },
});

test('points with the same x are averaged, and what is no number is kept apart', () => {
  const { x, y, odd } = averagedByX([3, 1, 1, 2, Number.NaN], [9, 2, 4, Number.NaN, 1]);
  assert.deepEqual([[...x], [...y], [...odd]], [[1, 3], [3, 9], [2]]);
  assert.deepEqual([...(curves[0]?.x ?? [])], [1, 3]);
  assert.deepEqual([...(curves[0]?.y ?? [])], [3, 1]);
  assert.deepEqual([...(curves[0]?.odd ?? [])], [2]);
});

test('measurements, steps and tags are offered as the jobs told them', () => {
  assert.deepEqual(
    measuresOf(document).map(({ name }) => name),
    ['loss', 'gpu.used', 'loss.epoch'],
  );
  assert.deepEqual(stepsOf(document), ['epoch', 'used']);
  assert.equal(usualX(document), 'epoch');
  assert.equal(usualX({ ...document, series: document.series.slice(2) }), 'relative');
  assert.deepEqual(tagsOf(document), ['card=0', 'split=train']);
  assert.equal(readCurves(document, { measures: loss, tags: ['split=test'], x: 'epoch' }).length, 0);
  assert.equal(
    readCurves(document, { measures: loss, tags: ['split=test', 'split=train'], x: 'epoch' }).length,
    2,
  );
});

test('time since the start is in seconds', () => {
  const [first] = readCurves(document, { measures: loss, tags: [], x: 'relative' });
  assert.deepEqual([...(first?.x ?? [])], [1, 2, 4]);
  assert.deepEqual(
    [...(readCurves(document, { measures: loss, tags: [], x: 'time' })[1]?.x ?? [])],
    [3_000, 4_000, 5_000],
  );
});

test('only properties that vary are offered; one that some lack varies', () => {
  assert.deepEqual(varyingProperties(curves), ['job', 'config.seed']);
  assert.deepEqual(varyingProperties([made({ a: '1' }, [], []), made({ a: '1', b: '2' }, [], [])]), ['b']);
  assert.deepEqual(varyingProperties(curves.slice(0, 1)), []);
});

test('jobs of one name are distinguished', () => {
  const same = { ...document, jobs: document.jobs.map((one) => ({ ...one, name: 'same' })) };
  const names = readCurves(same, { measures: loss, tags: [], x: 'epoch' }).map(
    ({ properties }) => properties['job'],
  );
  assert.deepEqual(names, ['same aaaaa1', 'same aaaaa2']);
});

test('cells are in the order in which people count, and a cell may be empty', () => {
  const all = [made({ lr: '10', m: 'a' }, [], []), made({ lr: '9', m: 'b' }, [], [])];
  assert.deepEqual(valuesOf(all, 'lr'), ['9', '10']);
  const { cells, columnCount } = cellsOf(all, { columns: 'lr', rows: 'm' });
  assert.equal(columnCount, 2);
  assert.deepEqual(
    cells.map(({ column, row, curves: of }) => [column, row, of.length]),
    [
      ['9', 'a', 0],
      ['10', 'a', 1],
      ['9', 'b', 1],
      ['10', 'b', 0],
    ],
  );
});

test('the y axis holds what lies in the range of x', () => {
  const curve = made({}, [1, 2, 3], [100, 2, 5]);
  const linear = { isLogX: false, isLogY: false };
  assert.deepEqual(extentOf([curve], { xRange: undefined, ...linear }), { x: [1, 3], y: [2, 100] });
  assert.deepEqual(extentOf([curve], { xRange: [2, 3], ...linear }), { x: [2, 3], y: [2, 5] });
  const below = made({}, [0, 1, 2], [-1, 3, 4]);
  assert.deepEqual(extentOf([below], { xRange: undefined, isLogX: true, isLogY: true }), {
    x: [1, 2],
    y: [3, 4],
  });
  assert.equal(extentOf([], { xRange: undefined, ...linear }), undefined);
});

test('smoothing begins at the first value and follows', () => {
  assert.deepEqual(
    [...smoothed(Float64Array.of(4, 4, 4), 0.9)].map((value) => Number(value.toFixed(9))),
    [4, 4, 4],
  );
  // Weights 1 and 2 thirds: (0 * 0.5 + 3 * 1) / 1.5.
  assert.deepEqual([...smoothed(Float64Array.of(0, 3), 0.5)], [0, 2]);
});

test('the mean over seeds has the band that is said', () => {
  const members = [made({}, [1, 2], [1, 2]), made({}, [1, 2], [3, 4]), made({}, [1], [5])];
  const sd = meanOf(members, 'sd');
  assert.deepEqual([[...sd.x], [...sd.y], sd.count], [[1, 2], [3, 3], 3]);
  assert.deepEqual([sd.low?.[0], sd.high?.[0]], [1, 5]);
  const range = meanOf(members, 'range');
  assert.deepEqual([range.low?.[1], range.high?.[1]], [2, 4]);
  // t of 0.975 with 2 degrees of freedom is 4.302653; times 2 / sqrt 3.
  assert.ok(
    Math.abs((meanOf(members, 'interval').high?.[0] ?? 0) - (3 + (4.302653 * 2) / Math.sqrt(3))) < 1e-5,
  );
  assert.equal(meanOf(members, 'none').low, undefined);
  assert.ok(Number.isNaN(meanOf(members.slice(0, 1), 'sd').low?.[0]));
});

test('between its points a curve is a straight line, beyond them it counts no more', () => {
  const mean = meanOf([made({}, [0, 10], [0, 10]), made({}, [5, 20], [7, 7])], 'none');
  assert.deepEqual(
    [[...mean.x], [...mean.y]],
    [
      [0, 5, 10, 20],
      [0, 6, 8.5, 7],
    ],
  );
});

test('what is averaged over is the same but for that', () => {
  const all = ['1', '2'].flatMap((lr) =>
    ['a', 'b'].map((seed) =>
      made(
        { job: `${lr}${seed}`, measurement: 'loss', 'config.lr': lr, 'config.seed': seed },
        [1],
        [Number(lr)],
      ),
    ),
  );
  const options = { shown: ['job'], band: 'sd' as const };
  const overSeed = meanCurves(all, { ...options, over: ['config.seed'] });
  assert.deepEqual(
    overSeed.map(({ properties, count, y }) => [properties['job'], count, y[0]]),
    [
      ['lr=1', 2, 1],
      ['lr=2', 2, 2],
    ],
  );
  assert.equal(meanCurves(all, { ...options, over: ['job'] }).length, 1);
  assert.equal(meanCurves(all, { ...options, shown: ['config.lr'], over: ['job'] }).length, 2);
  assert.equal(meanCurves(all, { ...options, over: [] }), all);
});

test('the same value looks the same in every cell', () => {
  const { hues, styleOf } = legendOf(curves, { hue: 'job', pattern: 'config.seed' });
  assert.deepEqual(hues, ['one', 'two']);
  assert.deepEqual(curves.map(styleOf), [
    { hue: 0, dash: 0 },
    { hue: 1, dash: 1 },
  ]);
  assert.deepEqual(legendOf(curves, { hue: 'job', pattern: undefined, mark: 'TW' }).hues, ['two', 'one']);
});

test('curves of one job that would look the same are distinguished by dashes', () => {
  const of = (job: string, split: string, lr: string) =>
    made({ job, 'tag.split': split, 'config.lr': lr, measurement: 'loss' }, [1], [1]);
  const both = [of('a', 'train', '1'), of('a', 'val', '1'), of('b', 'train', '2'), of('b', 'val', '2')];
  assert.equal(usualPattern(both, ['job'], 5), 'tag.split');
  assert.equal(usualPattern(both, ['job', 'tag.split'], 5), undefined);
  assert.equal(usualPattern(both, ['job'], 1), undefined);
  const parted = [of('a', 'train', '1'), of('b', 'val', '2')];
  assert.equal(usualPattern(parted, ['job'], 5), undefined);
  assert.equal(usualPattern([], ['job'], 5), undefined);
});

test('the state goes through the address and through JSON unchanged', () => {
  const query = new URLSearchParams(
    'measurement=loss&measurement=gpu.used&tags=split%3Dtrain&columns=config.lr&hue=none&over=config.seed&band=range&x=time&smooth=0.6&log=xy&xrange=1..40&yrange=-1..0.5&opacity=50&at=3,0.5&jobs=x',
  );
  const state = readState(query);
  assert.deepEqual(
    [state.measurement, state.isLogX, state.isLogY, state.yRange, state.at, state.rows],
    [['loss', 'gpu.used'], true, true, [-1, 0.5], [3, 0.5], undefined],
  );
  assert.deepEqual(readStateJson(stateJson(state)), state);
  const again = new URLSearchParams();
  for (const [name, value] of Object.entries(stateParameters(state)))
    for (const one of [value ?? []].flat()) again.append(name, one);
  assert.deepEqual(readState(again), state);
});

test('what is no state is not taken', () => {
  for (const text of ['', 'x', '[]', '"a"', 'null', '{"a": 1}', '{"__proto__": 1, "nothing": 2}'])
    assert.equal(readStateJson(text), undefined, text);
  const odd = readState(new URLSearchParams('smooth=7&opacity=x&band=y&at=1&xrange=5..1'));
  assert.deepEqual(
    [odd.smooth, odd.opacity, odd.band, odd.at, odd.xRange],
    [0.999, 80, 'sd', undefined, undefined],
  );
});

test('a place in rising values is found by halving', () => {
  const x = Float64Array.of(1, 2, 2, 5);
  assert.deepEqual(
    [0, 1, 2, 3, 5, 6].map((value) => firstFrom(x, value)),
    [0, 0, 1, 3, 3, 4],
  );
});
