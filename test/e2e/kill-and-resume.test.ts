import assert from 'node:assert/strict';
import * as fs from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { seededRandom } from '../../src/stats/random.ts';
import { runBinary, startBinary } from '../support/binary.ts';
import { addExperiment, makeScriptHome, SCRIPTS } from '../support/script-home.ts';

const NAMES = Array.from({ length: 12 }, (_, index) => `e${String(index + 1).padStart(2, '0')}`);
/** More of them find more: NIGHTMARK_TEST_KILLS=40. */
const KILLS = Number(process.env['NIGHTMARK_TEST_KILLS'] ?? 10);

/** Each script notes when it starts and sleeps a little, so that a kill finds it at work. */
const noting = Object.fromEntries(
  Object.entries(SCRIPTS).map(([file, text]) => [
    file,
    text.replace('#!/bin/sh\n', `#!/bin/sh\necho "$(basename "$PWD")/${file}" >> "$CALLS"\nsleep 0.02\n`),
  ]),
);

const homes: string[] = [];
after(() => {
  for (const home of homes) fs.rmSync(home, { recursive: true, force: true });
});

function makeHome(): string {
  const home = makeScriptHome(NAMES, noting, { seed: 7 });
  homes.push(home);
  addExperiment(home, 'e12', {
    ...noting,
    'setup.sh':
      '#!/bin/sh\nsleep 0.05\necho ready > "$2/payload"\necho \'{"success": true, "message": ""}\' > "$2/status.json"\n',
  });
  const subsystem = join(home, 'subsystem/digest');
  fs.mkdirSync(subsystem, { recursive: true });
  fs.writeFileSync(
    join(subsystem, 'run.sh'),
    '#!/bin/sh\nls "$2/results/experiments/data" > "$3/list.txt"\necho \'{"success": true, "message": ""}\' > "$3/status.json"\n',
    { mode: 0o755 },
  );
  fs.mkdirSync(join(home, 'config/subsystem/digest'), { recursive: true });
  fs.writeFileSync(join(home, 'config/subsystem/digest/config.json'), '{"active": true}');
  return home;
}

/** Every file of the results with what differs between any two nights taken out. */
function results(home: string): Record<string, string> {
  const root = join(home, 'results');
  const found: Record<string, string> = {};
  for (const entry of fs.readdirSync(root, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const path = join(entry.parentPath, entry.name);
    const text = fs.readFileSync(path, 'utf8');
    const name = path.slice(root.length).replace(/data_[\d-]+\.json/, 'data_LABEL.json');
    found[name] = text
      .replace(/"(start_time|end_time|time_delta|timestamp)": "[^"]*"/g, '"$1": ""')
      .replaceAll(home, 'HOME');
  }
  return found;
}

/** Stages that the journal of the interrupted night says are done. */
function doneStages(home: string): ReadonlySet<string> {
  const current = join(home, '.nightmark/current');
  if (!fs.existsSync(current)) return new Set();
  const journal = join(home, '.nightmark/runs', fs.readFileSync(current, 'utf8').trim(), 'journal.ndjson');
  const done = new Set<string>();
  for (const line of fs.readFileSync(journal, 'utf8').split('\n')) {
    const event =
      line === ''
        ? undefined
        : (JSON.parse(line) as { type: string; result?: { task: string; stage: string } });
    if (event?.type === 'stage' && event.result) done.add(`${event.result.task}/${event.result.stage}.sh`);
  }
  return done;
}

/** True when the journal of the only night has its last line: then the kill came too late to interrupt it. */
function hasEnded(home: string): boolean {
  const runs = join(home, '.nightmark/runs');
  if (!fs.existsSync(runs)) return false;
  const journals = fs
    .readdirSync(runs)
    .map((run) => fs.readFileSync(join(runs, run, 'journal.ndjson'), 'utf8'));
  return journals.some((text) => text.includes('"type":"end"'));
}

test(`a night killed at ${KILLS} random moments completes to the same results, and repeats nothing that was done`, async () => {
  const undisturbed = makeHome();
  const calls = (home: string) => join(home, '..', `${home.split('/').pop()}.calls`);
  const env = (home: string) => ({ CALLS: calls(home) });
  const began = performance.now();
  const first = await runBinary(['run', undisturbed], env(undisturbed));
  assert.equal(first.code, 0, first.stderr);
  const nightMs = performance.now() - began;
  const expected = results(undisturbed);
  assert.ok(Object.keys(expected).length > 12 * 8);
  fs.rmSync(calls(undisturbed));

  const random = seededRandom(20_260_105);
  let kills = 0;
  while (kills < KILLS) {
    const home = makeHome();
    for (let isFinished = false; !isFinished; ) {
      const done = doneStages(home);
      const callsBefore = fs.existsSync(calls(home)) ? fs.readFileSync(calls(home), 'utf8').length : 0;
      const child = startBinary(['run', home, '--resume'], env(home));
      const exit = new Promise<number | null>((resolve) => child.on('close', resolve));
      let stderr = '';
      child.stderr?.on('data', (chunk) => (stderr += chunk));
      const wait = kills < KILLS ? random() * nightMs : Number.POSITIVE_INFINITY;
      const winner = await Promise.race([
        exit,
        ...(Number.isFinite(wait) ? [sleep(wait, 'kill' as const)] : []),
      ]);
      if (winner === 'kill') {
        child.kill('SIGKILL');
        kills++;
        await exit;
        isFinished = hasEnded(home);
      } else {
        assert.equal(winner, 0, stderr);
        isFinished = true;
      }
      const repeated = (
        fs.existsSync(calls(home)) ? fs.readFileSync(calls(home), 'utf8').slice(callsBefore) : ''
      )
        .split('\n')
        .filter((call) => done.has(call));
      assert.deepEqual(repeated, [], 'a stage that was done is run again');
    }
    assert.deepEqual(results(home), expected);
    assert.deepEqual(
      fs.readdirSync(join(home, '.nightmark/tmp')).filter((name) => !name.endsWith('_data.tar.gz')),
      [],
    );
    fs.rmSync(calls(home), { force: true });
  }
});

test('after a power cut only what had reached the disk counts, and the rest is done again', async () => {
  const home = makeHome();
  const env = { CALLS: join(home, '..', `${home.split('/').pop()}.calls`) };
  const night = startBinary(['run', home], env);
  const exit = new Promise((resolve) => night.on('close', resolve));
  while (doneStages(home).size < 16) await sleep(5);
  night.kill('SIGKILL');
  await exit;

  // As the machine would be found after it came back: another boot, and nothing of what was not flushed.
  const [run = ''] = fs.readdirSync(join(home, '.nightmark/runs'));
  const journal = join(home, '.nightmark/runs', run, 'journal.ndjson');
  const text = fs.readFileSync(journal, 'utf8');
  fs.writeFileSync(journal, text.replace(/"bootId":"[^"]*"/g, '"bootId":"the-boot-before"'));
  const lost = text.slice(text.lastIndexOf('"flushed"'));
  assert.match(lost, /"stage":"run"/, 'some runs were not flushed yet');
  for (const [, name = ''] of lost.matchAll(/"task":"(e\d+)","kind":"experiment","stage":"run"/g)) {
    for (const folder of fs.readdirSync(join(home, '.nightmark/tmp'))) {
      fs.rmSync(join(home, '.nightmark/tmp', folder, name), { recursive: true, force: true });
    }
  }

  const resumed = await runBinary(['run', home, '--resume'], env);
  assert.equal(resumed.code, 0, resumed.stderr);
  for (const name of NAMES) {
    const status = fs.readFileSync(join(home, 'results/experiments/status', name, 'summary.json'), 'utf8');
    assert.equal(status, '{"success": true, "message": ""}', name);
  }
  fs.rmSync(env.CALLS, { force: true });
});
