import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import * as fs from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { joinBarrier } from './barrier.ts';

const root = fs.mkdtempSync(join(tmpdir(), 'nightmark-barriers-'));
const children: ChildProcess[] = [];
after(() => {
  for (const child of children) child.kill('SIGKILL');
  fs.rmSync(root, { recursive: true, force: true });
});

const url = pathToFileURL(join(process.cwd(), 'dist/src/duet/adapters/barrier/barrier.js')).href;

describe('barrier', () => {
  const { signal } = new AbortController();
  let count = 0;
  const newPlace = () => ({
    name: `a name / with "anything" ${count}`,
    dir: join(root, `${count++}`),
  });

  test('1: nobody goes on before all have arrived, round by round', async () => {
    const place = newPlace();
    const parties = [1, 2, 3].map(() => joinBarrier({ ...place, parties: 3, stays: true }));
    const arrived = [0, 0, 0];
    await Promise.all(
      parties.map(async (party, index) => {
        for (let round = 0; round < 50; round++) {
          if (round % 7 === index) await sleep(2);
          arrived[index] = round + 1;
          assert.equal(await party.arrive({ signal }), round);
          assert.ok(
            arrived.every((its) => its > round),
            `${arrived} in round ${round}`,
          );
        }
      }),
    );
    await Promise.all(parties.map((party) => party.leave()));
    assert.deepEqual(fs.readdirSync(place.dir), [], 'nothing is left');
  });

  test('1: parties for one round each meet again and again under one name', async () => {
    const place = newPlace();
    const one = async () => {
      const party = joinBarrier({ ...place, parties: 2, stays: false });
      await party.arrive({ signal, timeoutMs: 20_000 });
      await party.leave();
    };
    for (let round = 0; round < 20; round++) await Promise.all([one(), one()]);
    await Promise.all(Array.from({ length: 20 }, one));
    assert.deepEqual(fs.readdirSync(place.dir), []);
  });

  test('1: processes that start at the same time all meet', async () => {
    const place = newPlace();
    const lines = await Promise.all(
      [1, 2, 3, 4].map(() => lastLine(start(url, { ...place, parties: 4 }, 3))),
    );
    assert.deepEqual(lines, ['2', '2', '2', '2']);
  });

  test('2: a party that leaves breaks the barrier for those who wait and those who come', async () => {
    const place = { ...newPlace(), parties: 3, stays: true };
    const [a, b, c] = [joinBarrier(place), joinBarrier(place), joinBarrier(place)];
    await Promise.all([a, b, c].map((party) => party.arrive({ signal })));
    const waiting = assert.rejects(b.arrive({ signal }), { code: 'BARRIER_BROKEN' });
    await a.leave();
    await waiting;
    await assert.rejects(c.arrive({ signal }), { code: 'BARRIER_BROKEN' });
    await Promise.all([b.leave(), c.leave()]);
    assert.deepEqual(fs.readdirSync(place.dir), []);
  });

  for (const victim of [0, 1]) {
    test(`2: so does one that is killed, be it the ${victim === 0 ? 'first' : 'second'} that came`, async () => {
      const place = { ...newPlace(), parties: 2, stays: true };
      let child: ChildProcess | undefined;
      const party = joinBarrier(place);
      const first = async () => {
        child = start(url, place, 1, 'stay');
        if (victim === 0) await once(child, 'spawn').then(() => sleep(500));
      };
      if (victim === 0) await first();
      const round = party.arrive({ signal });
      if (victim === 1) await first();
      assert.equal(await round, 0);
      setTimeout(() => child?.kill('SIGKILL'), 50);
      await assert.rejects(party.arrive({ signal, timeoutMs: 20_000 }), { code: 'BARRIER_BROKEN' });
      await party.leave();
      // 6: the next two meet at once.
      const next = [joinBarrier(place), joinBarrier(place)];
      assert.deepEqual(await Promise.all(next.map((it) => it.arrive({ signal }))), [0, 0]);
      await Promise.all(next.map((it) => it.leave()));
    });
  }

  test('3: one that dies before the round is replaced by the next that comes', async () => {
    const place = { ...newPlace(), parties: 2, stays: false };
    const child = start(url, place, 1);
    await once(child, 'spawn');
    while (!fs.existsSync(place.dir) || !fs.readdirSync(place.dir).some((name) => name.endsWith('.sock')))
      await sleep(10);
    child.kill('SIGKILL');
    await once(child, 'exit');
    const pair = [joinBarrier(place), joinBarrier(place)];
    await Promise.all(pair.map((party) => party.arrive({ signal, timeoutMs: 20_000 })));
    await Promise.all(pair.map((party) => party.leave()));
    assert.deepEqual(fs.readdirSync(place.dir), []);
  });

  test('4: a party that waits too long gets an error, and the others go on waiting', async () => {
    const place = { ...newPlace(), parties: 3, stays: false };
    const [a, b, c, d] = [1, 2, 3, 4].map(() => joinBarrier(place));
    assert.ok(a && b && c && d);
    const late = assert.rejects(a.arrive({ signal, timeoutMs: 100 }), { code: 'BARRIER_TIMEOUT' });
    const waiting = b.arrive({ signal });
    await late;
    await a.leave();
    await Promise.all([waiting, c.arrive({ signal }), d.arrive({ signal })]);
    await Promise.all([b, c, d].map((party) => party.leave()));
    const abort = new AbortController();
    const stopped = joinBarrier(place);
    setTimeout(() => abort.abort(), 20);
    await assert.rejects(stopped.arrive({ signal: abort.signal }), { code: 'BARRIER_INTERRUPTED' });
    await stopped.leave();
  });

  test('5: parties that disagree get an error', async () => {
    const place = { ...newPlace(), parties: 2, stays: true };
    const first = joinBarrier(place);
    const waiting = first.arrive({ signal });
    await sleep(50);
    for (const other of [{ parties: 3 }, { stays: false }]) {
      const party = joinBarrier({ ...place, ...other });
      await assert.rejects(party.arrive({ signal }), { code: 'BARRIER_DIFFERS' });
      await party.leave();
    }
    const second = joinBarrier(place);
    assert.deepEqual(await Promise.all([waiting, second.arrive({ signal })]), [0, 0]);
    await Promise.all([first.leave(), second.leave()]);
  });
});

const PARTY = `
  const { joinBarrier } = await import(process.argv[1]);
  const party = joinBarrier({ stays: true, ...JSON.parse(process.argv[2]) });
  const { signal } = new AbortController();
  for (let round = 0; round < Number(process.argv[3]); round++) console.log(await party.arrive({ signal, timeoutMs: 20000 }));
  if (process.argv[4] === 'stay') await new Promise((resolve) => setTimeout(resolve, 60000));
  await party.leave();
`;

function start(url: string, request: object, rounds: number, then = ''): ChildProcess {
  const args = ['--input-type=module', '-e', PARTY, url, JSON.stringify(request), String(rounds), then];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  children.push(child);
  return child;
}

async function lastLine(child: ChildProcess): Promise<string> {
  let text = '';
  child.stdout?.on('data', (chunk) => (text += chunk));
  await once(child, 'close');
  return text.trim().split('\n').at(-1) ?? '';
}
