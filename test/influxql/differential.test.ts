import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type BothServers, openBoth } from './both-servers.ts';
import { generatedLines, generatedQueries } from './generated-queries.ts';

let both: BothServers | undefined;
before(async () => {
  both = await openBoth();
});
after(() => both?.close());

const SKIP = 'no InfluxDB here: apt-get install influxdb influxdb-client';

for (const seed of [1, 2, 3]) {
  test(`InfluxDB gives the same answers to 150 generated queries (seed ${seed})`, async (context) => {
    if (!both) return context.skip(SKIP);
    await both.reset(generatedLines(seed));
    const differing: string[] = [];
    for (const query of generatedQueries(seed + 100, 150)) {
      const [ours, theirs] = await both.ask({ q: query });
      if (!isClose(ours, theirs))
        differing.push(`${query}\n  ours   ${JSON.stringify(ours)}\n  theirs ${JSON.stringify(theirs)}`);
    }
    assert.deepEqual(differing, [], differing.slice(0, 40).join('\n'));
  });
}

/** Sums of floats may differ in the last digits, because InfluxDB adds series by series. */
function isClose(a: unknown, b: unknown): boolean {
  if (typeof a === 'number' && typeof b === 'number')
    return a === b || Math.abs(a - b) <= 1e-9 * Math.max(Math.abs(a), Math.abs(b), 1e-3);
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return a === b;
  const keys = Object.keys(a);
  return (
    keys.length === Object.keys(b).length &&
    keys.every((key) => isClose((a as Record<string, unknown>)[key], (b as Record<string, unknown>)[key]))
  );
}
