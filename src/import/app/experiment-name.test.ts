import assert from 'node:assert/strict';
import { test } from 'node:test';
import { experimentName } from './experiment-name.ts';

const of = (path: string, format = 'json', suite?: string) => experimentName({ suite, format }, path);

test('a suite and a tool name their experiment, whatever the file is called', () => {
  assert.equal(of('/w/x.json', 'hyperfine'), 'hyperfine');
  assert.equal(of('/w/x.json', 'json', 'a/b'), 'a-b');
});

test('results of any tool are named after their file', () => {
  assert.equal(of('/w/k6.json'), 'k6');
  assert.equal(of('/w/locust_stats.csv', 'csv'), 'locust_stats');
  assert.equal(of('/w/k6-login-2026-01-05.json'), 'k6-login');
  assert.equal(of('/w/k6_20260105T030700.ndjson', 'ndjson'), 'k6');
  assert.equal(of(`/w/fio-${'a1'.repeat(20)}.json`), 'fio');
});

test('a file that is only counted or dated is named after its folder', () => {
  for (const file of ['01.json', 'night-17.json', 'results.json', '2026-01-05.json', 'run_3/summary.json'])
    assert.equal(of(`/w/k6h/${file}`), 'k6h', file);
  assert.equal(of('/results.json'), 'json');
  assert.equal(of(''), 'json');
});

test('a number in a name may be an argument: two files stay two', () => {
  assert.notEqual(of('/w/sort-1000.json'), of('/w/sort-10000.json'));
});
