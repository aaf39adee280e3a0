import assert from 'node:assert/strict';
import { test } from 'node:test';
import { poolSamples } from '../../../matrix/core/planned-test.ts';
import type { MatrixExperiment } from '../matrix-definition.ts';
import { planPoints, pointCommand, pointsProblem } from './plan-points.ts';

const places = { out: '/o ut', data: '/d', config: '/c', raw: '/r', home: '/h', seed: '42' };

function matrixOf(settings: Readonly<Record<string, readonly (string | number)[]>>): MatrixExperiment {
  const axes = Object.entries(settings).map(([key, values]) => ({
    type: 'setting' as const,
    key,
    values: values.map((value) => ({ value })),
  }));
  const run = { type: 'command' as const, template: '' };
  return { name: 'x', run, axes, include: [], exclude: [], conditions: [], repeats: [] };
}

const commandsOf = (matrix: MatrixExperiment, template: string) =>
  planPoints(matrix).map((point) => pointCommand(template, point, places));

test('folders of the night and settings are filled in, each as one argument', () => {
  const [first] = commandsOf(matrixOf({ text: ["a 'b'"] }), `x {text} {out} {{out}} \${HOME} {print $1}`);
  assert.equal(first?.state, 'filled');
  assert.match(
    first?.state === 'filled' ? first.text : '',
    /^x '.*' '\/o ut' \{out\} \$\{HOME\} \{print \$1\}$/,
  );
});

test('a setting wins over a folder of the night', () => {
  assert.deepEqual(
    commandsOf(matrixOf({ '@seed': [1, 2] }), 'x {seed}').map((it) => it.state === 'filled' && it.text),
    ['x 1', 'x 2'],
  );
});

test('what cannot be filled is refused before anything runs', () => {
  assert.equal(pointsProblem(matrixOf({ a: [1] }), 'x {a} {out}'), undefined);
  assert.match(pointsProblem(matrixOf({ a: [1] }), 'x {b}') ?? '', /does not set \{b\}/);
});

test('values of repetitions and seeds stand in one set, those of other settings do not', () => {
  const set = { benchmark: ['q'], metric: 'time', unit: 's', better: 'lower' as const, settings: {} };
  const points = planPoints(matrixOf({ level: [1, 2], '@seed': [7, 8] }));
  const pooled = poolSamples(
    points.map(({ test }, index) => ({ test, samples: [{ ...set, values: [index] }] })),
  );
  assert.deepEqual(
    pooled.map(({ settings, values }) => [settings, values]),
    [
      [{ level: 1 }, [0, 1]],
      [{ level: 2 }, [2, 3]],
    ],
  );
});
