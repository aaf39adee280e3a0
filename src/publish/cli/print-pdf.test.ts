import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { printPdf } from './print-pdf.ts';

const folder = mkdtempSync(join(tmpdir(), 'nightmark-print-test-'));
after(() => rmSync(folder, { recursive: true }));
const { signal } = new AbortController();
const path = process.env['PATH'] ?? '';

/** A program in place of the browser. */
function browser(name: string, script: string): string {
  const file = join(folder, name);
  writeFileSync(file, `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  return file;
}

test('the first browser on the PATH prints, and leaves nothing behind', async () => {
  const print =
    'for word; do case $word in --print-to-pdf=*) IFS==; set -- $word; echo "$0 $word" > "$2";; esac; done';
  const first = browser('google-chrome', print);
  process.env['TMPDIR'] = join(folder, 'temporary');
  mkdirSync(process.env['TMPDIR']);
  const chosen = browser('mine', print);
  for (const [env, used] of [
    [{}, first],
    [{ NIGHTMARK_CHROMIUM: chosen, CHROME_PATH: '/nowhere' }, chosen],
    [{ NIGHTMARK_CHROMIUM: '', CHROME_PATH: chosen }, chosen],
  ] as const) {
    const bytes = await printPdf('<p>', { env: { PATH: folder, ...env }, signal });
    assert.ok(Buffer.from(bytes).toString().startsWith(`${used} --print-to-pdf=${folder}/temporary/`));
  }
  assert.deepEqual(readdirSync(process.env['TMPDIR']), []);
});

test('without a browser an error says how to get one', async () => {
  await assert.rejects(printPdf('<p>', { env: { PATH: join(folder, 'nothing') }, signal }), {
    code: 'REPORT_NO_BROWSER',
    message: 'A PDF needs Chromium or Chrome; none is installed.',
    hint: /apt install chromium.*NIGHTMARK_CHROMIUM.*-o report\.html/,
  });
  await assert.rejects(printPdf('<p>', { env: { PATH: path, CHROME_PATH: '/no/chrome' }, signal }), {
    code: 'REPORT_NO_BROWSER',
    message: /^CHROME_PATH is "\/no\/chrome"/,
  });
});

test('a browser that prints nothing is an error with its words', async () => {
  const broken = browser('broken', 'echo "no display" >&2; exit 7');
  await assert.rejects(printPdf('<p>', { env: { PATH: path, NIGHTMARK_CHROMIUM: broken }, signal }), {
    code: 'REPORT_NOT_PRINTED',
    message: `${broken} made no PDF, it ended with exit code 7: no display`,
  });
});

test('a browser that hangs is ended with all of its processes, and so is one that nobody waits for', async () => {
  const hangs = browser('hangs', 'sleep 1000 & wait');
  const env = { PATH: path, NIGHTMARK_CHROMIUM: hangs };
  await assert.rejects(printPdf('<p>', { env, signal }, 200), {
    code: 'REPORT_NOT_PRINTED',
    message: `${hangs} made no PDF, it took longer than 0.2 s.`,
  });
  const interrupt = new AbortController();
  const printing = printPdf('<p>', { env, signal: interrupt.signal });
  setTimeout(() => interrupt.abort(), 200);
  await assert.rejects(printing, { message: `${hangs} made no PDF, it was killed.` });
});
