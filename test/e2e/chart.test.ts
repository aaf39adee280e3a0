import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { runInProcess } from '../support/in-process.ts';

const folder = mkdtempSync(join(tmpdir(), 'nightmark-chart-'));
after(() => rmSync(folder, { recursive: true }));
const START = join(process.cwd(), 'dist/src/cli/nightmark.cjs');
const BAR = { chart: 'bar', title: 'Passes', bars: [{ label: 'a', value: 1.5 }], width: 400, height: 300 };
writeFileSync(join(folder, 'bar.json'), JSON.stringify(BAR));

const chart = (...words: string[]) => runInProcess(['chart', ...words], { cwd: folder });
const binary = (words: string[], input = '') =>
  spawnSync(process.execPath, [START, 'chart', ...words], { cwd: folder, input });
const size = (png: Uint8Array) => {
  const view = new DataView(png.buffer, png.byteOffset);
  return [view.getUint32(16), view.getUint32(20)];
};

test('one chart a process: a picture of the size that was asked for, twice the same', () => {
  const first = binary(['bar.json', '-o', 'bar.png']);
  assert.deepEqual([first.status, String(first.stdout), String(first.stderr)], [0, '', '']);
  const png = readFileSync(join(folder, 'bar.png'));
  assert.deepEqual(size(png), [400, 300]);
  binary(['bar.json', '--output', 'again.png']);
  assert.deepEqual(readFileSync(join(folder, 'again.png')), png);
  assert.deepEqual(
    readdirSync(folder).filter((name) => name.endsWith('.part')),
    [],
  );
});

test('stdin to stdout, as drawing or picture', () => {
  assert.match(String(binary(['-'], JSON.stringify(BAR)).stdout), /^<svg [\s\S]*<\/svg>\n$/);
  const { stdout } = binary(['-', '--format', 'png', '-o', '-'], JSON.stringify(BAR));
  assert.deepEqual(size(stdout), [400, 300]);
});

test('what is wrong is said with file, field and value, and nothing is written', () => {
  writeFileSync(join(folder, 'bad.json'), '{"chart": "bar", "bars": [{"label": "a", "value": "fast"}]}');
  const { status, stderr } = binary(['bad.json', '-o', 'bad.png']);
  assert.equal(status, 1);
  assert.match(
    String(stderr),
    /^error: bad\.json: bars\[0\]\.value is "fast": expected a number\.[\s\S]*\[CHART_FIELD\]/,
  );
  assert.ok(!existsSync(join(folder, 'bad.png')));
});

test('several files go to a folder or beside themselves; one that is missing does not keep the others', async () => {
  mkdirSync(join(folder, 'out'));
  writeFileSync(join(folder, 'other.json'), JSON.stringify(BAR));
  const { code, stdout, stderr } = await chart('bar.json', 'gone.json', 'other.json', '-o', 'out', '--json');
  assert.equal(code, 1);
  assert.deepEqual(JSON.parse(stdout), {
    drawn: [join(folder, 'out/bar.png'), join(folder, 'out/other.png')],
    failed: 1,
  });
  assert.match(stderr, /There is no file gone\.json\.[\s\S]*1 of 3 charts were not drawn/);
  assert.equal((await chart('other.json')).code, 0);
  assert.ok(existsSync(join(folder, 'other.png')));
  assert.match((await chart('bar.json', 'other.json', '-o', 'x.png')).stderr, /\[CHART_OUTPUT\]/);
});

test('a batch draws each line and names those that it cannot', async () => {
  const lines = [
    { spec: BAR, output: 'batch/a.png' },
    { spec: 'bar.json', output: 'batch/b.svg' },
    { spec: { chart: 'bar', bars: 3 }, output: 'batch/c.png' },
    { spec: BAR },
  ];
  writeFileSync(join(folder, 'all.ndjson'), `${lines.map((line) => JSON.stringify(line)).join('\n')}\n\n{\n`);
  const { code, stderr } = await chart('--batch', 'all.ndjson');
  assert.equal(code, 1);
  assert.match(stderr, /all\.ndjson:3: spec: bars is 3: expected a list of bars/);
  assert.match(stderr, /all\.ndjson:4: output is missing/);
  assert.match(stderr, /all\.ndjson:6 is not JSON/);
  assert.match(stderr, /3 of 5 charts were not drawn/);
  assert.deepEqual(readdirSync(join(folder, 'batch')), ['a.png', 'b.svg']);
});

test('text is drawn as outlines that a picture without fonts has too', async () => {
  const blank = { ...BAR, title: '' };
  writeFileSync(join(folder, 'blank.json'), JSON.stringify(blank));
  writeFileSync(join(folder, 'umlaut.json'), JSON.stringify({ ...BAR, title: 'Größe: 5 µs ≤ é' }));
  for (const name of ['blank', 'umlaut']) assert.equal((await chart(`${name}.json`)).code, 0);
  const [empty, full] = ['blank', 'umlaut'].map((name) => readFileSync(join(folder, `${name}.png`)).length);
  assert.ok((full ?? 0) > (empty ?? 0) + 500);
});

test('usage without a file, an unknown format and an unknown ending are explained', async () => {
  assert.match((await chart()).stderr, /\[CHART_NOTHING\]/);
  assert.match((await chart('bar.json', '--format', 'gif')).stderr, /\[CLI_INVALID_OPTION\]/);
  assert.match(
    (await chart('bar.json', '-o', 'x.gif')).stderr,
    /neither in \.png nor in \.svg[\s\S]*\[CHART_OUTPUT\]/,
  );
  assert.match((await chart('--help')).stdout, /nightmark chart - -o bar\.png/);
});
