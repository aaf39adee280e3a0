// Which files share a process, and which come first.
import { readFileSync, writeFileSync } from 'node:fs';

const TIMES = 'dist/test-times.json';
/** So many seconds of tests are one process's work when files share it. */
const GROUP_SECONDS = 8;

/** @param files paths below dist; @returns jobs {files, seconds}, the longest first. */
export function planJobs(files) {
  const times = lastTimes();
  const secondsOf = (file) => times[file] ?? guess(file);
  const alone = files
    .filter((file) => !isPure(file))
    .map((file) => ({ files: [file], seconds: secondsOf(file) }));
  const groups = inGroups(files.filter(isPure), secondsOf);
  return [...alone, ...groups].sort((a, b) => b.seconds - a.seconds);
}

/** The next run of this checkout starts with what took longest in this one. */
export function rememberTimes(results) {
  const times = lastTimes();
  for (const { files, seconds, perFile } of results)
    for (const file of files) times[file] = files.length === 1 ? seconds : (perFile[file] ?? 0);
  writeFileSync(TIMES, JSON.stringify(times));
}

function inGroups(files, secondsOf) {
  const groups = [];
  for (const file of files) {
    const last = groups.at(-1);
    if (last === undefined || last.seconds > GROUP_SECONDS)
      groups.push({ files: [file], seconds: secondsOf(file) });
    else {
      last.files.push(file);
      last.seconds += secondsOf(file);
    }
  }
  return groups;
}

/** Nothing of it can reach another file of the same process: no effects but files of its own, no hook around every test. */
function isPure(file) {
  if (!/^src\/(core|app|config)\//.test(file)) return false;
  return !/^(before|after)Each\(/m.test(readFileSync(`dist/${file}`, 'utf8'));
}

/** Of a file that never ran here: whole programs and real servers take seconds. */
function guess(file) {
  if (file.startsWith('test/')) return 10;
  return isPure(file) ? 0.1 : 1;
}

function lastTimes() {
  try {
    return JSON.parse(readFileSync(TIMES, 'utf8'));
  } catch {
    return {};
  }
}
