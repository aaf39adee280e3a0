import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeCurve } from '../../charts/core/curves/curve.ts';
import { curveBand } from '../../charts/core/curves/curve-band.ts';
import { summarizeCurves } from '../../charts/core/curves/summarize-curves.ts';
import { againstBaseline, scoreOverSeeds, seedScores } from './curve-scores.ts';
import { chooseCurve } from './curve-table.ts';
import { nameCurve } from './name-curve.ts';
import { autoTable, progressColumns, progressTables } from './progress-files.ts';

test('progress.csv: any order of columns, CRLF, a column added later, empty cells and nan are gaps', () => {
  const table = progressColumns(
    'Note,Evaluation/AverageReturn,TotalEnvSteps,Extra\r\nx,1.5,100,\r\nx,nan,200,\r\nx,,300,7\r\nx,-2,400,8\r\nx,9,50',
  );
  assert.deepEqual(table?.names, ['Note', 'Evaluation/AverageReturn', 'TotalEnvSteps', 'Extra']);
  assert.deepEqual([...(table?.columns.keys() ?? [])], ['Evaluation/AverageReturn', 'TotalEnvSteps']);
  const chosen = table && chooseCurve(table, {});
  assert.deepEqual([chosen?.x, chosen?.y], ['TotalEnvSteps', 'Evaluation/AverageReturn']);
  assert.deepEqual([...(chosen?.curve.x ?? [])], [100, 200, 300, 400], 'the last line is not whole yet');
  assert.deepEqual([...(chosen?.curve.y ?? [])], [1.5, Number.NaN, Number.NaN, -2]);
  assert.equal(table && chooseCurve(table, { y: 'Loss' }), undefined);
  const quoted = progressColumns('a,"b, c",step\n"1",2,3\n4,"5",6\n', ['a']);
  assert.deepEqual([...(quoted?.columns.get('b, c') ?? [])], [2, 5], 'without a usual name all are read');
  const asked = progressColumns('loss,Extra,step\n1,2,3\n4,5,6\n', ['Extra', 'gone']);
  assert.deepEqual([...(asked?.columns.get('Extra') ?? [])], [2, 5]);
  assert.equal(progressColumns('hello'), undefined);
});

test('folders tell task, algorithm and seed', () => {
  const { edition, ...second } = nameCurve(['rl', 'ppo-garage_HalfCheetah-v2_53']);
  assert.deepEqual(second, {
    task: 'HalfCheetah-v2',
    algorithm: 'ppo-garage',
    isBaseline: false,
    seed: '53',
  });
  assert.equal(edition, nameCurve(['rl', 'ppo-garage_HalfCheetah-v2_7']).edition);
  const old = ['benchmark_ddpg', '2019-05-01-12-00-00-1', 'Hopper-v2', 'trail_1_seed_20'];
  const { edition: night, ...first } = nameCurve([...old, 'garage']);
  assert.deepEqual(first, { task: 'Hopper-v2', algorithm: 'ddpg', isBaseline: false, seed: '20' });
  assert.ok(night.includes('2019-05-01'));
  assert.equal(nameCurve([...old, 'baselines']).algorithm, 'ddpg (baseline)');
  const said = nameCurve(['x', '3'], { env_id: 'Maze', algo: 'sac' });
  assert.deepEqual([said.task, said.algorithm, said.seed], ['Maze', 'sac', '3']);
  assert.deepEqual(nameCurve([]), { task: 'unnamed', algorithm: 'unnamed', isBaseline: false, edition: '' });
});

test('progress.json of version 1: maps and lists, baselines and benchmark, text and time_start skipped', () => {
  const run = (shift: number) => ({ time_steps: [10, 20], return: { '1': 2 + shift, '0': 1 + shift } });
  const list = { time_steps: [10, 20], average_return: [5, null] };
  const document = {
    githash: 'abc-dirty',
    algos: {
      DDPG: {
        time_start: 'now',
        'Hopper-v2': {
          seed: 7,
          trail_1: { garage: run(0), baselines: run(1) },
          trail_2: { garage: list, benchmark: list },
        },
      },
      note: 'text',
    },
  };
  const tables = progressTables(document, 'e');
  assert.deepEqual(
    tables.map(({ task, algorithm, isBaseline, seed, commit }) => [
      task,
      algorithm,
      isBaseline,
      seed,
      commit,
    ]),
    [
      ['Hopper-v2', 'DDPG', false, 'trail_1', 'abc-dirty'],
      ['Hopper-v2', 'DDPG (baseline)', true, 'trail_1', 'abc-dirty'],
      ['Hopper-v2', 'DDPG', false, 'seed 7', 'abc-dirty'],
      ['Hopper-v2', 'DDPG (baseline)', true, 'seed 7', 'abc-dirty'],
    ],
  );
  assert.deepEqual([...(tables[0]?.columns.get('return') ?? [])], [1, 2]);
  assert.deepEqual([...(tables[2]?.columns.get('return') ?? [])], [5, Number.NaN]);
  assert.deepEqual(progressTables({ algos: {} }, 'e'), []);
});

test('a file of version 2 is a mean with its band', () => {
  const document = {
    x: [1, 2],
    y: [3, 4],
    y_min: [2, 3],
    y_max: [4, 5],
    xlabel: 'Steps',
    ylabel: 'Return',
    git_hash: 'f',
  };
  const table = autoTable(document, 'HalfCheetah-v2_ppo-garage-pytorch.json', 'exec/auto');
  assert.deepEqual(
    [table?.task, table?.algorithm, table?.commit],
    ['HalfCheetah-v2', 'ppo-garage-pytorch', 'f'],
  );
  assert.deepEqual([...(table?.band?.high ?? [])], [4, 5]);
  assert.equal(autoTable({ x: 1 }, 'a_b.json', ''), undefined);
});

test('bands over four seeds are those of numpy; ragged seeds end where the shortest does', () => {
  const seeds = [1, 2, 4, 9].map((height, place) =>
    makeCurve([0, 10, 20, 30].slice(0, 3 + (place % 2)), [height, height, height, height]),
  );
  const { x, mean, deviation, iqm, low, high, seeds: count } = summarizeCurves(seeds, { points: 3 });
  assert.deepEqual([...x], [0, 10, 20]);
  const lists = { mean: [...mean], deviation: [...deviation], iqm: [...iqm], low: [...low], high: [...high] };
  const columns = { ...lists, count: [...count], hasStoredBand: false };
  const half = (kind: 'population' | 'deviation' | 'interval') => {
    const band = curveBand(columns, kind);
    assert.equal(band.centre[0], 4);
    return (band.high[0] ?? 0) - 4;
  };
  // numpy.std([1, 2, 4, 9]) with ddof 0 and 1, and scipy.stats.t.interval(0.95, 3, 4, sem).
  assert.ok(Math.abs(half('population') - 3.082207001484488) < 1e-12);
  assert.ok(Math.abs(half('deviation') - 3.559026084010437) < 1e-12);
  assert.ok(Math.abs(half('interval') - 5.6632047057346675) < 1e-9);
  const robust = curveBand(columns, 'iqm');
  assert.equal(robust.centre[0], 3);
  assert.ok((robust.low[0] ?? 0) < 3 && (robust.high[0] ?? 0) > 3);
});

test('scores have intervals from two seeds on, and stand against a baseline', () => {
  const curve = makeCurve([0, 1, 2, 3], [-50, -10, -5.1, -5.3]);
  assert.deepEqual(seedScores(curve, 'higher'), { final: -5.3, best: -5.1, area: -14.25 });
  assert.deepEqual(seedScores(makeCurve([0, 1], [1, Number.NaN]), 'higher'), { best: 1 });
  assert.deepEqual(scoreOverSeeds([3]), { seeds: 1, mean: 3, iqm: 3 });
  assert.equal(scoreOverSeeds([]), undefined);
  const score = scoreOverSeeds([1, 2, 3]);
  assert.ok(score?.low !== undefined && score.low < 1 && score.deviation === 1);
  assert.equal(againstBaseline([1], [2, 3]), undefined);
  const against = againstBaseline([11, 12, 13], [1, 2, 3]);
  assert.ok(against && against.difference === 10 && against.low > 0 && against.p < 0.001);
});
