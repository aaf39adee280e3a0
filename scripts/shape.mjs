// Prints the shape of the house: sizes, cycles, what one command executes, the package, and helpers that should exist once.
// Usage: node scripts/shape.mjs [--json] [--quick] [--tree]
//   --quick leaves out what it builds the program for: executed files and the package; --tree prints capabilities and layers as docs/architecture.md shows them.
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { copies } from './shape/copies.mjs';
import { folderOf, importGraph, isSource, knots } from './shape/imports.mjs';
import { tree } from './shape/tree.mjs';

const isQuick = process.argv.includes('--quick');
const files = readdirSync('src', { recursive: true, encoding: 'utf8' })
  .filter(isSource)
  .map((file) => `src/${file}`)
  .sort();
const texts = new Map(files.map((file) => [file, readFileSync(file, 'utf8')]));

if (process.argv.includes('--tree')) {
  console.log(tree(files));
  process.exit();
}

const shape = {
  ...sizes(),
  ...cycles(),
  ...(isQuick ? {} : { ...executed(), ...packed() }),
  ...copies(texts),
};
if (process.argv.includes('--json')) console.log(JSON.stringify(shape, null, 2));
else for (const [name, value] of Object.entries(shape)) console.log(`${name.padEnd(46)} ${textOf(value)}`);

function textOf(value) {
  return Array.isArray(value) ? `${value.length}${value.map((it) => `\n    ${it}`).join('')}` : String(value);
}

function sizes() {
  const lines = [...texts.values()].map((text) => text.split('\n').length - 1).sort((a, b) => a - b);
  const at = (share) => lines[Math.min(lines.length - 1, Math.floor(share * lines.length))];
  return {
    'source files': lines.length,
    'source lines': lines.reduce((sum, it) => sum + it, 0),
    'lines a file, median': at(0.5),
    'lines a file, 90th percentile': at(0.9),
    'files under 40 lines': lines.filter((it) => it < 40).length,
    'most files in one folder': mostInFolder(),
  };
}

function mostInFolder() {
  const counts = new Map();
  for (const file of files) counts.set(folderOf(file), (counts.get(folderOf(file)) ?? 0) + 1);
  const [folder, count] = [...counts].sort((a, b) => b[1] - a[1])[0];
  return `${count} (${folder})`;
}

/** Imports of types count too: they are what a reader has to follow. */
function cycles() {
  const graph = importGraph(texts);
  const capability = (file) => file.split('/')[1];
  const isWithin = (a, b) => capability(a) === capability(b);
  return {
    'capabilities in cycles': knots(graph, capability, () => true).flat(),
    'folders in cycles inside a capability': knots(graph, folderOf, isWithin).flat(),
    'files in cycles at run time': knots(
      importGraph(texts, { types: false, later: false }),
      (file) => file,
      () => true,
    ).flat(),
  };
}

/** Files of ours of which a function ran, in all processes of one night that runs `echo`. */
function executed() {
  execFileSync('npm', ['run', 'build'], { stdio: ['ignore', 'ignore', 'inherit'] });
  const start = 'dist/src/cli/start.js';
  const folder = mkdtempSync(join(tmpdir(), 'nightmark-shape-'));
  const [home, coverage] = [join(folder, 'home'), join(folder, 'coverage')];
  mkdirSync(home);
  writeFileSync(join(home, 'nightmark.yml'), `experiments:\n  e:\n    run: echo '{"a":1.5}'\n`);
  const night = spawnSync(process.execPath, [resolve(start), 'run', home], {
    env: { ...process.env, NODE_V8_COVERAGE: coverage },
    encoding: 'utf8',
  });
  const ran = new Set();
  for (const name of readdirSync(coverage))
    for (const { url, functions } of JSON.parse(readFileSync(join(coverage, name), 'utf8')).result)
      if (
        url.includes('/dist/src/') &&
        functions.some(({ functionName, ranges }) => functionName !== '' && ranges[0].count > 0)
      )
        ran.add(url.slice(url.indexOf('/dist/src/')));
  rmSync(folder, { recursive: true });
  if (night.status !== 0) throw new Error(`The night of one echo failed:\n${night.stderr}`);
  return { 'files executed by one echo': ran.size };
}

function packed() {
  const report = execFileSync('npm', ['pack', '--dry-run', '--json', '--ignore-scripts'], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const [{ entryCount, unpackedSize }] = JSON.parse(report);
  return { 'files in the package': entryCount, 'megabytes in the package': (unpackedSize / 1e6).toFixed(1) };
}
