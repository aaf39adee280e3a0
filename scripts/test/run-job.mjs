// One process of tests: what it printed, counted and took.
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';

/** A process that has not ended by then hangs. */
const LIMIT_MS = 10 * 60_000;
const DRAIN_MS = 2_000;
const NOTHING = { tests: 0, suites: 0, pass: 0, fail: 0, cancelled: 0, skipped: 0, todo: 0 };

export async function runJob({ files }, countsFile) {
  const began = Date.now();
  const { output, code, signal } = await runToEnd(files, countsFile);
  const seconds = (Date.now() - began) / 1000;
  const { counts, failures, ...times } = countsIn(countsFile);
  const title = files.length === 1 ? files[0] : `${files.length} files, ${files[0]} to ${files.at(-1)}`;
  // A process may break after its last test, or before its first: its end is part of the result.
  const isBroken = (code !== 0 || counts.tests === 0) && failures.length === 0;
  if (isBroken) {
    failures.push({ name: `its process ended with ${signal ?? `exit code ${code}`}, ${counts.tests === 0 ? 'before a test' : 'though no test failed'}`, file: title });
    counts.fail += 1;
    counts.tests += 1;
  }
  const head = `\n${title} (${counts.tests} tests, ${seconds.toFixed(1)} s)\n`;
  return { files, seconds, counts, failures, ...times, output: head + output };
}

function runToEnd(files, countsFile) {
  const args = [
    ['--test-reporter=./scripts/test/reporter.mjs', '--test-reporter-destination=stdout'],
    ['--test-reporter=./scripts/test/counts.mjs', `--test-reporter-destination=${countsFile}`],
    ['scripts/test/group.mjs', ...files.map((file) => `dist/${file}`)],
  ].flat();
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text) => {
      output += text;
    });
  const limit = setTimeout(() => {
    output += `\nNot done after ${LIMIT_MS / 60_000} minutes: stopped.\n`;
    child.kill('SIGKILL');
  }, LIMIT_MS);
  return new Promise((resolve) => {
    child.on('exit', (code, signal) => {
      clearTimeout(limit);
      // A server that a test left behind may hold the pipes open.
      const drained = setTimeout(() => resolve({ output, code, signal }), DRAIN_MS);
      child.on('close', () => {
        clearTimeout(drained);
        resolve({ output, code, signal });
      });
    });
  });
}

function countsIn(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return { counts: { ...NOTHING }, failures: [], perFile: {} };
  }
}
