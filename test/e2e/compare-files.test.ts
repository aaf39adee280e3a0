import assert from 'node:assert/strict';
import * as fs from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import type { CompareView } from '../../src/judge/app/compare/compare-view.ts';
import { normalQuantile } from '../../src/stats/distributions.ts';
import { seededRandom } from '../../src/stats/random.ts';
import { runBinary } from '../support/binary.ts';
import { runInProcess } from '../support/in-process.ts';

const folder = fs.realpathSync(fs.mkdtempSync(join(tmpdir(), 'nightmark-compare-files-')));
after(() => fs.rmSync(folder, { recursive: true, force: true }));

const random = seededRandom(31);
const draw = (seconds: number) => seconds * (1 + 0.01 * normalQuantile(Math.max(1e-9, random())));

/** What `hyperfine --export-json` writes. */
function hyperfine(name: string, commands: Readonly<Record<string, number>>, runs = 20): string {
  const results = Object.entries(commands).map(([command, seconds]) => {
    const times = Array.from({ length: runs }, () => draw(seconds));
    return { command, mean: seconds, median: seconds, min: seconds, max: seconds, times };
  });
  return write(name, JSON.stringify({ results }));
}

function write(name: string, text: string): string {
  const file = join(folder, name);
  fs.mkdirSync(join(file, '..'), { recursive: true });
  fs.writeFileSync(file, text);
  return file;
}

const OLD = { 'sort big': 2, 'sort small': 0.01, gone: 1 };

test('two result files are compared without a home: what is slower, faster, the same, on one side only', async () => {
  const old = hyperfine('old.json', OLD);
  const now = hyperfine('new.json', { 'sort big': 2.2, 'sort small': 0.01, new: 1 });
  const { code, stdout, stderr } = await runBinary(['compare', old, now, '--min-effect', '3%']);
  assert.equal(code, 3, stderr);
  assert.match(stdout, /^1 slower, 1 the same, 1 only in base, 1 only in head\n/);
  assert.ok(stdout.includes('\n  slower  sort big  +10.3 % (+9.6 to +10.9)  1.99 s -> 2.20 s\n'), stdout);
  const json = await runInProcess(['compare', old, now, '--min-effect', '3%', '--json']);
  const { rows } = JSON.parse(json.stdout) as CompareView;
  const [worst] = rows;
  assert.deepEqual([worst?.verdict, worst?.base?.runs, worst?.head?.runs], ['slower', 20, 20]);
  const { change, low, high } = worst?.shift?.relative ?? assert.fail();
  assert.ok(low < 0.1 && 0.1 < high && Math.abs(change - 0.1) < 0.02, `${low} ${change} ${high}`);
  assert.equal(
    (await runInProcess(['compare', now, old, '--min-effect', '3%'])).code,
    0,
    'faster is no failure',
  );
});

test('in two folders each file is a run', async () => {
  for (let run = 0; run < 6; run++) {
    hyperfine(`before/${run}.json`, { sort: draw(2) });
    hyperfine(`after/${run}.json`, { sort: draw(2.4) });
  }
  const sides = [join(folder, 'before'), join(folder, 'after')];
  const { code, stdout } = await runInProcess(['compare', ...sides, '--json']);
  assert.equal(code, 3);
  const [row] = (JSON.parse(stdout) as CompareView).rows;
  assert.deepEqual([row?.experiment, row?.base?.runs, row?.head?.runs], ['sort', 6, 6]);
  const text = await runInProcess(['compare', ...sides]);
  assert.match(text.stdout, /base .*before \(6 files, hyperfine\)/);
});

test('what cannot be judged is exit code 2, with what helps', async () => {
  const few = [hyperfine('few-1.json', OLD, 3), hyperfine('few-2.json', OLD, 3)];
  const blind = await runInProcess(['compare', ...few]);
  assert.equal(blind.code, 2);
  assert.match(blind.stderr, /Fewer than 5 values of a series on a side\./);
  const rows = (widgets: number) => Array.from({ length: 8 }, () => `a,${draw(widgets)}`).join('\n');
  const odd = [1, 2].map((times) => write(`odd-${times}.csv`, `name,widgets\n${rows(100 * times)}\n`));
  const unknown = await runInProcess(['compare', ...odd]);
  assert.equal(unknown.code, 2, unknown.stdout);
  assert.match(unknown.stderr, /Say it: --better lower\|higher/);
  assert.equal((await runInProcess(['compare', ...odd, '--better', 'lower'])).code, 3);
  assert.equal((await runInProcess(['compare', ...odd, '--better', 'higher'])).code, 0);
});

test('a broken file, one side that is no file, and an empty folder are errors that say what to do', async () => {
  const old = hyperfine('old-2.json', OLD);
  const cut = write('cut.json', fs.readFileSync(old, 'utf8').slice(0, 100));
  const broken = await runInProcess(['compare', old, cut]);
  assert.equal(broken.code, 1);
  assert.match(broken.stderr, /cut\.json/);
  const one = await runInProcess(['compare', old, 'missing.json']);
  assert.equal(one.code, 1);
  assert.match(one.stderr, /COMPARE_ONE_FILE/);
  // A file may have the name of a side of a home: then it is one.
  const side = await runInProcess(['compare', old, 'latest', '--home', folder]);
  assert.doesNotMatch(side.stderr, /COMPARE_ONE_FILE/);
  assert.notEqual(side.code, 0);
  fs.mkdirSync(join(folder, 'empty'));
  const empty = await runInProcess(['compare', old, join(folder, 'empty')]);
  assert.match(empty.stderr, /empty has no files in it\..*COMPARE_NO_FILES/s);
});
