import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PERF_EVENTS, readPerfStat, whyNoCounts } from './perf-stat.ts';

/** As perf 6.1 writes it. */
const COUNTED = `# started on Tue Nov 17 19:37:56 2026

206157,,instructions:u,601351,100.00,0.84,insn per cycle
245731,,cycles:u,601351,100.00,,
4096,,cache-misses:u,601351,100.00,,
`;
const NOT_SUPPORTED = `# started on Tue Nov 17 19:37:56 2026

<not supported>,,instructions:u,0,100.00,,
<not supported>,,cycles:u,0,100.00,,
<not supported>,,cache-misses:u,0,100.00,,
`;

test('reads the counts of perf stat', () => {
  assert.deepEqual(readPerfStat(COUNTED), { instructions: 206157, cycles: 245731, 'cache-misses': 4096 });
});

test('what is not supported or was not counted is absent', () => {
  assert.deepEqual(readPerfStat(NOT_SUPPORTED), {});
  assert.deepEqual(readPerfStat('<not counted>,,cycles:u,0,0.00,,\n7,,instructions,5,100.00,,\n'), {
    instructions: 7,
  });
  assert.deepEqual(readPerfStat(''), {});
});

test('asks for what happens in the program, not in the kernel', () => {
  assert.equal(PERF_EVENTS, 'instructions:u,cycles:u,cache-misses:u');
});

test('says why there are no counts', () => {
  assert.equal(whyNoCounts(NOT_SUPPORTED, '2\n'), 'this machine does not support them');
  const refused =
    'Error:\nAccess to performance monitoring and observability operations is limited.\nConsider adjusting /proc/sys/kernel/perf_event_paranoid setting\n';
  assert.equal(whyNoCounts(refused, '4\n'), 'the kernel does not permit it (perf_event_paranoid is 4)');
  assert.equal(whyNoCounts('# started\n\nno such event\n', ''), 'perf counted nothing: no such event');
});
