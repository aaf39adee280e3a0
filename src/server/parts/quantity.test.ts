import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { SeriesView } from '../../app/read-values.ts';
import { driftOf } from './quantity.ts';

const steady: SeriesView = { path: ['a'], unit: 's', better: 'lower', times: [], values: [], runIds: [] };

test('a drift is told over all of its values and of each, and nothing where there is none', () => {
  const perPoint = {
    ...{ difference: 0.001, low: 0.0008, high: 0.0012, level: 0.95 },
    relative: { change: 0.0005, low: 0.0004, high: 0.0006 },
  };
  const drift = { start: 0, end: 101, perPoint, p: 1e-9 };
  assert.match(
    driftOf({ ...steady, drift })?.toString() ?? '',
    /title="A drift, no change: [^"]*&#62;99\.99 %">drifts by \+5\.0 % \(\+4\.0 to \+6\.0\) over 101 values, \+0\.0500 % each</,
  );
  const { relative: _, ...absolute } = perPoint;
  assert.match(
    driftOf({ ...steady, drift: { ...drift, perPoint: absolute } })?.toString() ?? '',
    />drifts by \+100 ms \(\+80\.0 ms to \+120 ms\) over 101 values, \+1\.00 ms each</,
  );
  assert.equal(driftOf(steady), undefined);
});
