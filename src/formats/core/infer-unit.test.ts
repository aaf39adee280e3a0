import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inferUnit } from './infer-unit.ts';

test('a name of the path gives the unit of what is below it, the innermost first', () => {
  assert.equal(inferUnit(['seconds', 'gzip_1']), 's');
  assert.equal(inferUnit(['detailed', 'seconds', 'gzip_1', 'median']), 's');
  assert.equal(inferUnit(['bytes', 'site']), 'bytes');
  assert.equal(inferUnit(['sort', 'wall_ms']), 'ms');
  assert.equal(inferUnit(['sort', 'Wall time (ns)']), 'ns');
  assert.equal(inferUnit(['seconds', 'peak_mib']), 'MiB');
  assert.equal(inferUnit(['latency_ms_p95']), 'ms');
  assert.equal(inferUnit(['http', 'durationMs']), 'ms');
  assert.equal(inferUnit(['bytes_per_second']), 'B/s');
  assert.equal(inferUnit(['read, MiB/s']), 'MiB/s');
  assert.equal(inferUnit(['seconds', 'requests_per_second']), '1/s');
});

test('counts, histograms, arguments, single letters and other words give none', () => {
  assert.equal(inferUnit(['detailed', 'seconds', 'gzip_1', 'n']), '');
  assert.equal(inferUnit(['cpu', 's']), '');
  assert.equal(inferUnit(['cpu', 'A']), '');
  assert.equal(inferUnit(['latency_us', '250']), '');
  assert.equal(inferUnit(['aes', '16 bytes']), '');
  assert.equal(inferUnit(['time_to_first_byte']), '');
  assert.equal(inferUnit(['bonus']), '');
  assert.equal(inferUnit([]), '');
});
