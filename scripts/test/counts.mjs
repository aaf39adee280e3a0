// Runs inside a process of tests: leaves one JSON with counts, tests, failures and times for test.mjs.
import { readFileSync } from 'node:fs';
import { relative } from 'node:path';

export default async function* count(source) {
  const counts = { tests: 0, suites: 0, pass: 0, fail: 0, cancelled: 0, skipped: 0, todo: 0 };
  const tests = [];
  const failures = [];
  const perFile = {};
  const path = [];
  for await (const { type, data } of source) {
    if (type === 'test:start') path[data.nesting] = data.name;
    if (type !== 'test:pass' && type !== 'test:fail') continue;
    const kind = kindOf(type, data);
    counts[kind] += 1;
    if (kind !== 'suites') counts.tests += 1;
    const file = relative('dist', data.file ?? '');
    if (data.nesting === 0) perFile[file] = (perFile[file] ?? 0) + data.details.duration_ms / 1000;
    const test = { file, name: [...path.slice(0, data.nesting), data.name].join(' > ') };
    if (kind !== 'suites') tests.push({ ...test, ended: kind });
    if (type === 'test:fail' && kind !== 'todo' && data.details.error?.failureType !== 'subtestsFailed')
      failures.push({ ...test, line: data.line, said: saidBy(data) });
  }
  yield JSON.stringify({ counts, tests, failures, perFile, cpu: cpuSeconds() });
}

/** So much of a failure is printed again at the end of the run. */
const SHOWN_CHARS = 800;

function saidBy({ details: { error } }) {
  return String(error?.cause?.stack ?? error?.message ?? '').slice(0, SHOWN_CHARS);
}

function kindOf(type, { details, skip, todo }) {
  if (skip !== undefined) return 'skipped';
  if (todo !== undefined) return 'todo';
  const failure = type === 'test:fail' ? (details.error?.failureType ?? 'unknown') : undefined;
  if (details.type === 'suite' && (failure === undefined || failure === 'subtestsFailed')) return 'suites';
  if (failure === undefined) return 'pass';
  return failure === 'cancelledByParent' ? 'cancelled' : 'fail';
}

/** Of this process and of those it waited for, in ticks of 10 ms; undefined where there is no /proc. */
function cpuSeconds() {
  try {
    const fields = readFileSync('/proc/self/stat', 'utf8')
      .replace(/^.*\) /, '')
      .split(' ');
    return fields.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks) / 100, 0);
  } catch {
    return undefined;
  }
}
