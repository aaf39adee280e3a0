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
import { dirname, join } from 'node:path';
import { after, before, test } from 'node:test';
import { resvg } from '../src/charts/adapters/resvg.ts';
import type { ChartFile } from '../src/charts/core/file/chart-file.ts';
import { drawChartFile } from '../src/charts/core/file/draw-chart-file.ts';

const folder = mkdtempSync(join(tmpdir(), 'nightmark-package-'));
after(() => rmSync(folder, { recursive: true }));

interface Pack {
  readonly filename: string;
  readonly entryCount: number;
  readonly unpackedSize: number;
  readonly files: readonly { readonly path: string }[];
}

/** The package as it would be published, from what is built. */
function pack(): Pack {
  const words = ['pack', '--json', '--ignore-scripts', '--pack-destination', folder];
  const { status, stdout, stderr } = spawnSync('npm', words, { encoding: 'utf8' });
  assert.equal(status, 0, stderr);
  const [packed] = JSON.parse(stdout) as [Pack];
  return packed;
}

const packed = pack();
const shipped = new Set(packed.files.map(({ path }) => path));
const isShipped = (path: string) =>
  shipped.has(path) || [...shipped].some((file) => file.startsWith(`${path.replace(/\/$/, '')}/`));

test('the package is small, and has nothing that only we need', () => {
  assert.ok(packed.entryCount > 300 && packed.entryCount <= 700, `${packed.entryCount} files`);
  assert.ok(packed.unpackedSize <= 7_000_000, `${packed.unpackedSize} bytes`);
  const ours = [...shipped].filter((file) =>
    /\.(?:map|compiled)$|\.test\.|__pycache__|\.tsbuildinfo$/.test(file),
  );
  assert.deepEqual(ours, []);
  for (const file of ['NOTICE', 'LICENSE', 'README.md']) assert.ok(shipped.has(file), file);
});

test('pages and files that the program names are in the package', () => {
  const named = new Map<string, string>();
  const sources = ['src', 'kit', 'templates'].flatMap((from) =>
    readdirSync(from, { recursive: true, encoding: 'utf8' }).map((file) => `${from}/${file}`),
  );
  const isProgram = (file: string) =>
    /\.(?:tsx?|mjs|py|sh|yml)$|^templates\/.*\.md$/.test(file) && !/\.test\.tsx?$/.test(file);
  for (const file of sources.filter(isProgram))
    for (const [, path = ''] of readFileSync(file, 'utf8').matchAll(
      /(?<![\w/.-])((?:docs|examples|schema)\/[\w./-]*\w)/g,
    ))
      named.set(path, file);
  assert.ok(named.size > 30);
  for (const [path, file] of named) assert.ok(isShipped(path), `${file} names ${path}`);
});

test('links and examples of the pages are in the package', () => {
  const pages = [...shipped].filter((file) => /^(?:docs|examples)\/.*\.md$/.test(file));
  assert.ok(pages.length > 60);
  for (const page of pages) {
    const text = readFileSync(page, 'utf8');
    const links = Array.from(text.matchAll(/\]\((?!\w+:|#)([^)#\s]+)/g), ([, to = '']) =>
      join(dirname(page), to),
    );
    const examples = Array.from(
      text.matchAll(/(?<![\w/.-])examples\/[\w./-]*\w(?!.*of the repository)/g),
      ([path]) => path,
    );
    for (const path of [...links, ...examples]) assert.ok(isShipped(path), `${page} names ${path}`);
  }
});

/** Why nothing could be installed: only without a network. */
let offline: string | undefined;
const home = join(folder, 'user');
const installed = join(home, 'node_modules/nightmark');

before(() => {
  mkdirSync(home);
  writeFileSync(join(home, 'package.json'), '{"private": true, "type": "module"}');
  const tarball = join(folder, packed.filename);
  const words = ['install', '--no-audit', '--no-fund', '--ignore-scripts', '--prefer-offline'];
  const { status, stderr } = user('npm', ...words, tarball);
  if (status === 0) return;
  assert.match(stderr, /ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH/);
  offline = 'the registry of npm cannot be reached';
  console.log(`Skipped: ${offline}`);
});

/** A command in the folder of somebody who installed the package, and knows nothing of ours. */
function user(command: string, ...words: string[]) {
  const path = `${join(home, 'node_modules/.bin')}:${process.env['PATH']}`;
  return spawnSync(command, words, { cwd: home, encoding: 'utf8', env: { ...process.env, PATH: path } });
}

function ok(command: string, ...words: string[]): string {
  const { status, stdout, stderr } = user(command, ...words);
  assert.equal(status, 0, `${[command, ...words].join(' ')}: ${stdout}${stderr}`);
  return stdout;
}

const installedTest = (name: string, body: () => void | Promise<void>) =>
  test(name, (context) => (offline === undefined ? body() : context.skip(offline)));

installedTest('installed, the program runs a night, and publishes its pages', () => {
  assert.match(ok('nightmark', '--version'), /^\d+\.\d+\.\d+\n$/);
  ok('nightmark', 'init', 'bench');
  assert.match(ok('nightmark', 'run', 'bench', '--json'), /"state": ?"succeeded"/);
  assert.match(ok('nightmark', 'status', 'bench'), /succeeded/);
  ok('nightmark', 'publish', 'bench', '--to', 'dir:site');
  assert.ok(existsSync(join(home, 'site/index.html')));
});

installedTest('installed, the help names where its pages are', () => {
  const [, place = ''] =
    /^Pages that it names \(docs\/\.\.\.\) are in (.*)$/m.exec(ok('nightmark', '--help')) ?? [];
  assert.ok(existsSync(join(place, 'docs/guide/first-night.md')), place);
});

installedTest('installed, a chart is drawn, by the command and by the kit', async () => {
  const chart: ChartFile = { chart: 'bar', bars: [{ label: 'a', value: 1 }] };
  writeFileSync(join(home, 'bars.json'), JSON.stringify(chart));
  ok('nightmark', 'chart', 'bars.json', '-o', 'command.png');
  const draw = (kit: string) =>
    `const { writeChart } = await import('${kit}'); await writeChart(process.argv[1], JSON.parse('{"chart": "bar", "bars": [{"label": "a", "value": 1}]}'));`;
  const module = '--input-type=module';
  ok(process.execPath, module, '-e', draw('nightmark/kit'), 'kit.png');
  ok(process.execPath, module, '-e', draw(`${installed}/kit/node/kit.mjs`), 'helpers.png');
  const picture = readFileSync(join(home, 'command.png'));
  // A picture without its fonts has no texts, and nothing says so.
  assert.ok(picture.equals(await resvg.png(drawChartFile(chart))));
  for (const file of ['kit.png', 'helpers.png'])
    assert.ok(readFileSync(join(home, file)).equals(picture), file);
});

/** One of each: values, types, and a mistake that the types must find. */
const EVERY_ENTRY = `
import { type ChartFile, type DataValue, checkConfig, isString, writeChart } from 'nightmark/kit';
import { type Runtime, logInfo, logRuntime } from 'nightmark/job';
import { type LineValue, Metrics, int, metricId } from 'nightmark/metrics';
import { type Settings, type TestReader, defineWorkload, parseQuantity } from 'nightmark/workload';

const chart: ChartFile = { chart: 'bar', bars: [{ label: 'a', value: 1 }] };
const runtime: Runtime = { mean: 1 };
const value: LineValue = int(3);
const id: string = metricId('loss', { step: 1 });
const quantity: number | undefined = parseQuantity('5Ki');
export type Used = [DataValue, Settings, TestReader];
export const used = [writeChart, checkConfig, isString, logInfo, logRuntime, defineWorkload, Metrics];
console.log(JSON.stringify([chart.chart, runtime.mean, String(value), id.length, quantity, used.length]));
`;

installedTest('installed, every public entry can be imported, and its types hold', () => {
  writeFileSync(join(home, 'every.ts'), EVERY_ENTRY);
  const strict = [
    '--strict',
    '--exactOptionalPropertyTypes',
    '--target',
    'es2023',
    '--module',
    'nodenext',
    '--lib',
    'es2023',
    '--types',
    '',
  ];
  const tsc = join(process.cwd(), 'node_modules/.bin/tsc');
  writeFileSync(join(home, 'globals.d.ts'), 'declare const console: { log(text: string): void };');
  ok(tsc, ...strict, '--outDir', 'compiled', 'every.ts', 'globals.d.ts');
  assert.equal(ok(process.execPath, 'compiled/every.js'), '["bar",1,"3",32,5120,7]\n');
  writeFileSync(join(home, 'wrong.ts'), EVERY_ENTRY.replace('mean: 1', "mean: 'fast'"));
  const { status, stdout } = user(tsc, ...strict, '--noEmit', 'wrong.ts', 'globals.d.ts');
  assert.notEqual(status, 0);
  assert.match(stdout, /^wrong\.ts\(8,\d+\): error TS2322/m);
});
