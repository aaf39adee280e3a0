import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { runBinary } from '../support/binary.ts';
import { makeChangesHome } from '../support/changes-home.ts';
import { BROWSER_PATH, skipWithoutBrowser } from '../support/chromium.ts';
import { HOSTILE_NAME, makeCompareHome, nightOf } from '../support/compare-home.ts';
import { runInProcess } from '../support/in-process.ts';

const folder = mkdtempSync(join(tmpdir(), 'nightmark-report-'));
const [compared, changed] = [join(folder, 'compared'), join(folder, 'changed')];
const file = (name: string) => join(folder, name);
const BROWSER = { NIGHTMARK_CHROMIUM: BROWSER_PATH };
const read = (name: string) => readFileSync(file(name), 'utf8');

before(async () => {
  await makeCompareHome(compared);
  await makeChangesHome(changed, [
    { experiment: 'sort', at: 40, factor: 1.12 },
    { experiment: 'scan', at: 30, factor: 0.8 },
  ]);
});
after(() => rmSync(folder, { recursive: true }));

test('a night is one HTML file without scripts, whatever its names are', async () => {
  const { code, stdout, stderr } = await runBinary(['report', compared, '-o', file('night.html')]);
  assert.deepEqual([code, stdout, stderr], [0, `Wrote ${file('night.html')}\n`, '']);
  const page = read('night.html');
  assert.match(
    page,
    /<h1>compared: night of 2026-01-24 02:00 UTC<\/h1>\s*<p>3 of 4 experiments succeeded, 1 failed/,
  );
  assert.match(page, /<td class="nm-worse">breaks<\/td><td>run<\/td><td>exit &#60;b&#62;1/);
  assert.match(page, /early: was part of the run before, not of this one/);
  assert.match(page, /<td>sort\/cpu\/A<\/td><td class="nm-right">11\.0/);
  assert.match(page, /<td><svg [^>]*aria-hidden/);
  assert.ok(page.includes('&#60;img src=x onerror=alert(1)&#62;'));
  assert.ok(!page.includes(HOSTILE_NAME));
  assert.doesNotMatch(page, /<script|<link|src="|url\(/);
  assert.match(page, /Content-Security-Policy" content="default-src 'none'/);
  await runInProcess(['report', compared, '-o', file('again.html')]);
  assert.equal(read('again.html'), page);
});

test('an earlier night is reported as it was', async () => {
  const { stdout } = await runInProcess(['report', compared, '--run', nightOf(18)]);
  assert.match(stdout, /^# compared: night of 2026-01-19 02:00 UTC\n\n4 of 4 experiments succeeded/);
  assert.match(stdout, /\| sort\/cpu\/A \| (9\.9|10\.)\d+ ms \|/);
  assert.doesNotMatch(stdout, /11\.0 ms|## Failed/);
});

test('a comparison reports what differs, in Markdown with its charts beside it', async () => {
  const words = [
    '--compare',
    `${nightOf(18)}..latest`,
    '-o',
    file('out/week.md'),
    '--assets',
    file('out/charts'),
  ];
  const { code, stdout } = await runInProcess(['report', compared, ...words, '--json']);
  assert.equal(code, 0);
  const said = JSON.parse(stdout) as { format: string; figures: string[] };
  assert.equal(said.format, 'markdown');
  assert.deepEqual(said.figures, [file('out/charts/figure-01.svg'), file('out/charts/figure-01.png')]);
  const text = read('out/week.md');
  assert.match(text, /\n2 failed in head, 1 slower/);
  assert.match(text, /\n\| slower \| sort\/cpu\/A \| \+\d+\.\d % \(/);
  assert.match(text, /\n\| commit of repo \| a1a1a1a \| b2b2b2b \|/);
  assert.match(text, /\n\[!\[sort\/cpu\/A\]\(charts\/figure-01\.png\)\]\(charts\/figure-01\.svg\)\n/);
  assert.match(readFileSync(file('out/charts/figure-01.svg'), 'utf8'), /^<svg /);
  assert.deepEqual([...readFileSync(file('out/charts/figure-01.png')).subarray(1, 4)], [0x50, 0x4e, 0x47]);
});

test('changes are reported worst first, one of them with its levels, explanation and commits', async () => {
  const { stdout } = await runInProcess(['report', changed, '--changes']);
  assert.match(stdout, /^# stepping: open changes\n\n2 open changes: 1 open regression\.\n/);
  const [, id = ''] =
    /\n\| (\w+) \| sort\/time \| \+1[12]\.\d % [^\n]*\n\| \w+ \| scan\/time \|/.exec(stdout) ?? [];
  assert.notEqual(id, '', stdout);
  const { stdout: one } = await runInProcess(['report', changed, '--change', id.slice(0, 5)]);
  assert.match(one, /^# sort\/time: \+1[12]\.\d % /);
  assert.match(one, /\n\| between commits \| repo aaaa111 \.\. bbbb222 \|/);
  assert.match(one, /\nrepo went from aaaa111 to bbbb222; nothing else that is recorded changed\.\n/);
  assert.match(one, /\n\| begins here \| 2025-12-11 02:00 UTC \| 20251211-020000-test \|/);
  assert.match(one, /\nsort\/time: ▁/);
});

test('a PDF is the HTML report as a browser prints it', { skip: skipWithoutBrowser() }, async () => {
  const print = await runInProcess(['report', changed, '--changes', '-o', file('a.pdf')], { env: BROWSER });
  assert.deepEqual([print.code, print.stderr], [0, '']);
  const bytes = readFileSync(file('a.pdf'), 'latin1');
  assert.match(bytes, /^%PDF-1\./);
  assert.equal(bytes.match(/\/Type \/Page\b/g)?.length, 2, 'two charts do not fit on one page');
  assert.match(bytes, /\/MediaBox \[0 0 59[45](?:\.\d+)? 84[12](?:\.\d+)?\]/, 'it is A4');
  const { stdout: text, error } = spawnSync('pdftotext', ['-layout', file('a.pdf'), '-'], {
    encoding: 'utf8',
  });
  if (error) return console.log('The text was not read: "apt install poppler-utils"');
  assert.match(text, /^stepping: open changes\s+2 open changes: 1 open regression\./);
  assert.match(text, /sort\/time[\s\S]*scan\/time[\s\S]*2 of 2/);
});

test('without a browser there is no PDF, and nothing is written', async () => {
  const words = ['report', changed, '-o', file('none/a.pdf'), '--assets', file('none/charts')];
  const { code, stderr } = await runInProcess(words, {
    env: { PATH: folder, NIGHTMARK_CHROMIUM: '', CHROME_PATH: '' },
  });
  assert.equal(code, 1);
  assert.match(stderr, /A PDF needs Chromium or Chrome; none is installed\./);
  assert.match(stderr, /apt install chromium/);
  assert.ok(!existsSync(file('none')));
});

test('what cannot be reported is said, and nothing is written', async () => {
  const empty = file('empty');
  mkdirSync(empty);
  for (const [words, message] of [
    [[empty, '-o', file('x.html')], /REPORT_NOTHING/],
    [[empty, '--changes'], /REPORT_NOTHING/],
    [[compared, '--run', 'latets', '-o', file('x.html')], /No run is "latets"/],
    [[compared, '--run', ''], /COMPARE_UNCLEAR/],
    [[compared, '--compare', 'latest'], /names one side only/],
    [[compared, '--change', 'zzz'], /CHANGES_UNKNOWN/],
    [[compared, '--changes', '--run', 'latest'], /about one thing/],
    [[compared, '-o', file('x.doc')], /REPORT_OUTPUT/],
    [[compared, '--format', 'doc'], /CLI_INVALID_OPTION/],
    [[file('nowhere')], /CLI_NO_HOME/],
  ] as const) {
    const { code, stdout, stderr } = await runInProcess(['report', ...words]);
    assert.deepEqual([code, stdout], [1, ''], words.join(' '));
    assert.match(stderr, message);
  }
  assert.ok(!existsSync(file('x.html')));
});

test('names lead to the page of the home where it has a public one, in every form', async () => {
  const definition = join(changed, 'nightmark.yml');
  const before = readFileSync(definition, 'utf8');
  writeFileSync(definition, `${before}\npage: https://bench.example.org/site/index.html#\n`);
  const page = 'https://bench.example.org/site/index.html#';
  const { stdout: night } = await runInProcess(['report', changed]);
  const run = /\| run \| \[([\w-]+)\]\(([^)]+)\)/.exec(night);
  assert.equal(run?.[2], `${page}/runs/${run?.[1]}`);
  assert.ok(night.includes(`](${page}/experiments/sort)`), night);
  await runInProcess(['report', changed, '--changes', '-o', file('open.html')]);
  const open = read('open.html');
  assert.match(open, /<a href="https:\/\/bench\.example\.org\/site\/index\.html#\/changes\/[\w-]+"/);
  assert.ok(open.includes(`<a href="${page}/experiments/sort"`));
  if (!skipWithoutBrowser()) {
    await runInProcess(['report', changed, '--changes', '-o', file('open.pdf')], { env: BROWSER });
    assert.ok(
      readFileSync(file('open.pdf'), 'latin1').includes('bench.example.org/site/index.html#/changes/'),
    );
  }
  writeFileSync(definition, before);
});
