import assert from 'node:assert/strict';
import { test } from 'node:test';
import influx from '../../src/adapters/exporters/influx/index.ts';
import { goldenPayloads } from '../support/golden-payloads.ts';

const url = process.env['NIGHTMARK_TEST_INFLUX_URL'];
const skip = url === undefined && 'no InfluxDB 1.x: set NIGHTMARK_TEST_INFLUX_URL=http://127.0.0.1:8086';

async function query(words: string): Promise<unknown[][]> {
  const body = new URLSearchParams({ q: words, db: 'nightmark_test', epoch: 'ns' });
  const answer = await fetch(`${url}/query`, { method: 'POST', body });
  const { results } = (await answer.json()) as { results: { series?: { values: unknown[][] }[] }[] };
  return results[0]?.series?.[0]?.values ?? [];
}

test('a real InfluxDB takes the points of payloads, and the same points once', { skip }, async () => {
  await query('DROP DATABASE "nightmark_test"');
  await query('CREATE DATABASE "nightmark_test"');
  const golden = goldenPayloads();
  const target = { place: url ?? '', options: { name: 'nightmark_test' }, secrets: {}, isDryRun: false };
  const signal = new AbortController().signal;
  for (let round = 0; round < 2; round++) {
    const { sent, refused } = await influx.export(golden, target, signal);
    assert.deepEqual([sent, refused], [golden.length, []]);
  }
  const found = await query('SELECT value FROM tiny_throughput');
  const values = (list: readonly unknown[]) => list.map(Number).sort((a, b) => a - b);
  assert.deepEqual(
    values(found.map(([, value]) => value)),
    values(golden.map(({ kpis }) => kpis['tiny_throughput']?.['value'])),
  );
  await query('DROP DATABASE "nightmark_test"');
});
