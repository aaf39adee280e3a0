import assert from 'node:assert/strict';
import { appendFileSync, mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import type { FollowedRecord, Follower } from '../../src/metrics/core/follower.ts';
import { adapterIds } from '../../src/platform/cli/adapters.ts';
import type { JsonObject } from '../../src/platform/core/text/json.ts';
import { eventRecord } from '../support/event-file.ts';

const root = new URL('../../src/metrics/adapters/followers/', import.meta.url);
const folder = mkdtempSync(join(tmpdir(), 'nightmark-followers-'));
after(() => rmSync(folder, { recursive: true }));

/** How a file of each kind is written: its beginning, and the record with a number. */
interface Harness {
  readonly name: string;
  head(run: number): Buffer;
  record(number: number, run: number): Buffer;
  /** Never becomes whole, whatever follows. */
  readonly damage: Buffer;
}

const harnesses: Readonly<Record<string, Harness>> = {
  tensorboard: {
    name: 'events.out.tfevents.1500000000.host',
    head: (run) => eventRecord({ wallTime: 1_500_000_000 + run, version: 'brain.Event:2' }),
    record: (number, run) =>
      eventRecord({ wallTime: 1.5e9 + number, step: number, scalars: { x: number + run * 1000 } }),
    damage: Buffer.alloc(40, 7),
  },
  'progress-csv': {
    name: 'progress.csv',
    head: () => Buffer.from('x,Iteration\r\n'),
    record: (number, run) => Buffer.from(`${number + run * 1000},${number}\r\n`),
    damage: Buffer.from('"a"b,1\n'),
  },
};

for (const id of adapterIds('followers')) {
  const { default: follower } = (await import(new URL(`${id}/${id}.js`, root).href)) as { default: Follower };
  const harness = harnesses[id] as Harness;
  const path = join(folder, `${id}-${harness.name}`);
  const file = (count: number, run = 0) =>
    Buffer.concat([
      harness.head(run),
      ...Array.from({ length: count }, (_, at) => harness.record(at + 1, run)),
    ]);

  /** Reads to the end, as another process would with what was kept. */
  const reader = () => {
    let kept: string | undefined;
    return async (): Promise<{
      records: readonly FollowedRecord[];
      problems: readonly string[];
      isWaiting: boolean;
    }> => {
      const records: FollowedRecord[] = [];
      const problems: string[] = [];
      for (;;) {
        const step = await follower.read(
          path,
          kept === undefined ? undefined : (JSON.parse(kept) as JsonObject),
        );
        assert.ok(step);
        kept = JSON.stringify(step.position);
        for (const record of step.records) records.push(record);
        problems.push(...step.problems);
        if (!step.hasMore) return { records, problems, isWaiting: step.isWaiting };
      }
    };
  };
  const xs = (records: readonly FollowedRecord[]) =>
    records.map(({ values }) => values.find(([name]) => name === 'x')?.[1]);
  const upTo = (last: number, first = 1) => Array.from({ length: last - first + 1 }, (_, at) => first + at);

  test(`${id}: its id is the name of its folder, and it knows its files`, () => {
    assert.equal(follower.id, id);
    assert.ok(follower.follows(harness.name));
    assert.ok(!follower.follows('debug.log') && !follower.follows('progress.csv.tmp'));
  });

  test(`${id}: cut at every byte, every record comes once and in its order (1, 2, 3)`, async () => {
    const bytes = file(6);
    const read = reader();
    const seen: FollowedRecord[] = [];
    writeFileSync(path, '');
    for (let at = 0; at < bytes.length; at++) {
      appendFileSync(path, bytes.subarray(at, at + 1));
      const { records, problems } = await read();
      assert.deepEqual(problems, []);
      seen.push(...records);
    }
    assert.deepEqual(xs(seen), upTo(6));
    assert.deepEqual(
      seen.map(({ step }) => step),
      upTo(6).map(BigInt),
    );
    assert.equal(new Set(seen.map(({ number }) => number)).size, 6);
  });

  test(`${id}: a tail that is not whole waits`, async () => {
    const bytes = file(3);
    writeFileSync(path, bytes.subarray(0, bytes.length - 1));
    const read = reader();
    const first = await read();
    assert.deepEqual([xs(first.records), first.isWaiting, first.problems], [[1, 2], true, []]);
    writeFileSync(path, bytes);
    const second = await read();
    assert.deepEqual([xs(second.records), second.isWaiting], [[3], false]);
  });

  test(`${id}: a file that was cut or copied anew gives nothing twice (4)`, async () => {
    writeFileSync(path, file(5));
    const read = reader();
    assert.deepEqual(xs((await read()).records), upTo(5));
    truncateSync(path, file(2).length);
    assert.deepEqual(xs((await read()).records), []);
    truncateSync(path, 0);
    assert.deepEqual(xs((await read()).records), []);
    rmSync(path);
    assert.equal(await follower.read(path, undefined), undefined);
    writeFileSync(path, file(7));
    assert.deepEqual(xs((await read()).records), [6, 7]);
  });

  test(`${id}: a new file in its place is read from its beginning (4)`, async () => {
    writeFileSync(path, file(5));
    const read = reader();
    await read();
    writeFileSync(path, file(2, 1));
    assert.deepEqual(xs((await read()).records), [1001, 1002]);
    writeFileSync(path, file(9, 2));
    assert.deepEqual(xs((await read()).records), upTo(2009, 2001));
  });

  test(`${id}: damage is reported, and nothing is thrown (5)`, async () => {
    writeFileSync(path, Buffer.concat([file(2), harness.damage, harness.record(3, 0)]));
    const { records, problems } = await reader()();
    assert.deepEqual(xs(records).slice(0, 2), [1, 2]);
    assert.equal(problems.length, 1);
  });

  test(`${id}: a large file comes in pieces, whole`, async () => {
    const one = Buffer.concat(upTo(20_000).map((number) => harness.record(number, 0)));
    writeFileSync(path, Buffer.concat([harness.head(0), ...Array.from({ length: 4 }, () => one)]));
    assert.equal((await reader()()).records.length, 80_000);
  });
}
