// One process of tests: what it printed, counted and took.
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** A process that has not ended by then hangs. */
const LIMIT_MS = 10 * 60_000;
const DRAIN_MS = 2_000;
/** Exit code of a process in which a test failed. */
const FAILED = 1;
const NOTHING = { tests: 0, suites: 0, pass: 0, fail: 0, cancelled: 0, skipped: 0, todo: 0 };
const beside = (name) => new URL(name, import.meta.url).href;

/** @param job {files}: paths below dist. @param countsFile where the process leaves its counts. */
export async function runJob({ files }, countsFile) {
  const began = Date.now();
  const { output, code, signal } = await runToEnd(files, countsFile);
  const seconds = (Date.now() - began) / 1000;
  const { counts, tests, failures, ...times } = countsIn(countsFile);
  const title = files.length === 1 ? files[0] : `${files.length} files, ${files[0]} to ${files.at(-1)}`;
  // A process may break before its first test, between two, or after its last: its end is part of the result.
  if (counts.tests === 0 || code !== (failures.length === 0 ? 0 : FAILED)) {
    const when = counts.tests === 0 ? 'before its tests were done' : 'after its tests';
    failures.push({ name: `the process ended with ${signal ?? `exit code ${code}`} ${when}`, file: title });
    counts.fail += 1;
    counts.tests += 1;
  }
  const head = `\n${title} (${counts.tests} tests, ${seconds.toFixed(1)} s)\n`;
  return { files, seconds, counts, tests, failures, ...times, output: head + output };
}

function runToEnd(files, countsFile) {
  const args = [
    [`--test-reporter=${beside('reporter.mjs')}`, '--test-reporter-destination=stdout'],
    [`--test-reporter=${beside('counts.mjs')}`, `--test-reporter-destination=${countsFile}`],
    [fileURLToPath(beside('group.mjs')), ...files.map((file) => `dist/${file}`)],
  ].flat();
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  const keep = (text) => {
    output += text;
  };
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', keep);
  const limit = setTimeout(() => {
    keep(`\nNot done after ${LIMIT_MS / 60_000} minutes: stopped.\n`);
    child.kill('SIGKILL');
  }, LIMIT_MS);
  return new Promise((resolve) => {
    child.on('exit', (code, signal) => {
      clearTimeout(limit);
      const done = () => resolve({ output, code, signal });
      // A server that a test left behind may hold the pipes open.
      const drained = setTimeout(done, DRAIN_MS);
      child.on('close', () => clearTimeout(drained));
      child.on('close', done);
    });
  });
}

/** A process that was stopped leaves none, or half of one. */
function countsIn(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return { counts: { ...NOTHING }, tests: [], failures: [], perFile: {} };
  }
}
