import assert from 'node:assert/strict';
import { once } from 'node:events';
import * as fs from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { openSqliteStore } from '../../src/home/adapters/store/sqlite-store.ts';
import { startBinary } from '../support/binary.ts';
import { runInProcess } from '../support/in-process.ts';

const folders: string[] = [];
after(() => {
  for (const folder of folders) fs.rmSync(folder, { recursive: true, force: true });
});

function makeHome(experiment: object): string {
  const home = fs.mkdtempSync(join(tmpdir(), 'nightmark-night-matrix-'));
  folders.push(home);
  const definition = { project: 'matrix', defaults: { telemetry: false }, experiments: { pack: experiment } };
  fs.writeFileSync(join(home, 'nightmark.yml'), JSON.stringify(definition));
  return home;
}

async function series(home: string): Promise<Readonly<Record<string, readonly number[]>>> {
  const store = await openSqliteStore(join(home, '.nightmark/index.db'), { readOnly: true });
  try {
    const found: [string, readonly number[]][] = [];
    for (const { id, path } of await store.series({ limit: 100 })) {
      const { values } = await store.history(id, { limit: 10 });
      if (path[0] !== 'detailed') found.push([path.join('/'), [...values]]);
    }
    return Object.fromEntries(found.sort());
  } finally {
    store.close();
  }
}

const lines = (file: string) => (fs.existsSync(file) ? fs.readFileSync(file, 'utf8').trim().split('\n') : []);

test('each point of a matrix is a series of its own; repetitions are samples of one', async () => {
  const home = makeHome({
    run: 'echo "{\\"time\\": {level}.{repetition}}"',
    results: { format: 'json', unit: 's' },
    matrix: {
      level: [1, 9],
      mode: ['quick', 'slow'],
      exclude: [{ level: 9, mode: 'quick' }],
      include: [{ level: 5, mode: 'odd' }],
      repetitions: 3,
    },
  });
  const { code, stderr } = await runInProcess(['run', home]);
  assert.equal(code, 0, stderr);
  assert.match(stderr, /pack: point 12 of 12, 012__level=5,mode=odd,repetition=3 done/);
  assert.deepEqual(await series(home), {
    'time/level=1/mode=quick': [1.2],
    'time/level=1/mode=slow': [1.2],
    'time/level=5/mode=odd': [5.2],
    'time/level=9/mode=slow': [9.2],
  });
  const before = await series(home);
  fs.rmSync(join(home, '.nightmark/index.db'));
  const { code: reindexed } = await runInProcess(['reindex', home]);
  assert.equal(reindexed, 0);
  assert.deepEqual(await series(home), before);
});

test('settings reach a point as words, variables and settings.yaml, whatever is in them', async () => {
  const seen = join(fs.mkdtempSync(join(tmpdir(), 'nightmark-seen-')), 'seen');
  folders.push(join(seen, '..'));
  const hostile = `it's {home} $(touch ${seen}.hacked) "x"`;
  const home = makeHome({
    run: `printf '%s\\n' {text} "$NIGHTMARK_SETTING_TEXT" {out} "$NIGHTMARK_OUTPUT_DIR" '{{text}}' > ${seen}; cp {out}/settings.yaml ${seen}.yaml; echo '{"n": 1}'`,
    results: { format: 'json' },
    matrix: { text: [hostile] },
  });
  const { code, stderr } = await runInProcess(['run', home]);
  assert.equal(code, 0, stderr);
  const [word, variable, out, output, braces] = lines(seen);
  assert.equal(word, hostile);
  assert.equal(variable, hostile);
  assert.equal(out, output);
  assert.match(out ?? '', /\/pack\/001__/);
  assert.equal(braces, '{text}');
  assert.match(fs.readFileSync(`${seen}.yaml`, 'utf8'), /^text: /);
  assert.equal(fs.existsSync(`${seen}.hacked`), false);
});

test('a point that fails or times out loses its own values only, and the experiment has failed', async () => {
  const home = makeHome({
    run: 'echo x >> tries-{n}; case {n} in 2) echo boo >&2; exit 3;; 3) sleep 60;; 4) exit 0;; esac; echo "{\\"v\\": {n}}"',
    results: { format: 'json' },
    retries: 1,
    timeout: { run: '4s' },
    matrix: { n: [1, 2, 3, 4, 5] },
  });
  const { code, stdout } = await runInProcess(['run', home, '--json']);
  assert.equal(code, 4);
  const { trials } = JSON.parse(stdout) as { trials: { failedStage: string; message: string }[] };
  assert.equal(trials[0]?.failedStage, 'analyze');
  const message = trials[0]?.message ?? '';
  assert.match(
    message,
    /^3 of 5 points failed, the others are kept: 002__n=2: exit code 3; 003__n=3: not ended within 4 s/,
  );
  assert.match(message, /004__n=4: stdout\.txt, read as json: There is nothing in it/);
  assert.deepEqual(await series(home), { 'v/n=1': [1], 'v/n=5': [5] });
  assert.equal(lines(join(home, 'tries-2')).length, 2);
  assert.equal(lines(join(home, 'tries-1')).length, 1);
});

test('when every point fails the run has failed, with the words of the first', async () => {
  const home = makeHome({ run: 'echo no such thing {n} >&2; exit 7', matrix: { n: [1, 2] } });
  const { code, stdout } = await runInProcess(['run', home, '--json']);
  assert.equal(code, 4);
  const { trials } = JSON.parse(stdout) as { trials: { failedStage: string; message: string }[] };
  assert.equal(trials[0]?.failedStage, 'run');
  assert.match(trials[0]?.message ?? '', /002__n=2: failed, exit code 7[\s\S]*no such thing 1/);
});

test('a resumed night runs only the points that it has not', async () => {
  const home = makeHome({
    run: 'echo {n} >> began; test {n} != 3 -o -e go-on || sleep 60; echo "{\\"v\\": {n}}"',
    results: { format: 'json' },
    matrix: { n: [1, 2, 3, 4] },
  });
  const child = startBinary(['run', home]);
  while (!lines(join(home, 'began')).includes('3')) await wait(20);
  child.kill('SIGKILL');
  await once(child, 'close');
  fs.writeFileSync(join(home, 'go-on'), '');
  const { code, stderr } = await runInProcess(['run', home, '--resume']);
  assert.equal(code, 0, stderr);
  assert.deepEqual(lines(join(home, 'began')), ['1', '2', '3', '3', '4']);
  assert.match(stderr, /point 3 of 4, 003__n=3 done/);
  assert.deepEqual(await series(home), { 'v/n=1': [1], 'v/n=2': [2], 'v/n=3': [3], 'v/n=4': [4] });
});

test('check and --dry-run show the points, and run nothing', async () => {
  const home = makeHome({ run: 'touch ran', matrix: { level: [1, 9], seeds: [7, 8] } });
  const checked = await runInProcess(['check', home]);
  assert.match(checked.stdout, /pack: 4 points of its matrix: level=1,seed=7 {2}level=1,seed=8/);
  const dry = await runInProcess(['run', home, '--dry-run']);
  assert.match(dry.stdout, /at 4 points:\n {7}001__level=1,seed=7\n/);
  const { stdout } = await runInProcess(['run', home, '--dry-run', '--json']);
  const plan = JSON.parse(stdout) as { experiments: { points: string[] }[] };
  assert.equal(plan.experiments[0]?.points.length, 4);
  assert.equal(fs.existsSync(join(home, 'ran')), false);
});
