// Runs inside a process of tests: leaves one JSON with counts, failures and times for test.mjs.
import { readFileSync } from 'node:fs';
import { relative } from 'node:path';
import { UNLOADABLE } from './unloadable.mjs';

export default async function* count(source) {
  const counts = { tests: 0, suites: 0, pass: 0, fail: 0, cancelled: 0, skipped: 0, todo: 0 };
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
    if (type === 'test:fail' && kind !== 'todo' && data.details.error?.failureType !== 'subtestsFailed')
      failures.push(failureOf(data, file, path));
  }
  yield JSON.stringify({ counts, failures, perFile, cpu: cpuSeconds() });
}

/** So much of a failure is told again at the end of the run. */
const SHOWN_CHARS = 800;

function failureOf({ name, line, nesting, details }, file, path) {
  if (name.endsWith(UNLOADABLE))
    return { name: UNLOADABLE.trim(), file: relative('dist', name.slice(0, -UNLOADABLE.length)) };
  const said = String(details.error?.cause?.stack ?? details.error?.message ?? '').slice(0, SHOWN_CHARS);
  return { name: [...path.slice(0, nesting), name].join(' > '), file, line, said };
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
