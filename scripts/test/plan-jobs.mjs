// Which files share a process, and which come first.
import { readFileSync, writeFileSync } from 'node:fs';

const TIMES = 'dist/test-times.json';
const LONG =
  /(bisect|changes|changes-explained|differential|duet-containers|duet-run|examples|executors\/\w+|kill|kill-and-resume|lines-influxdb|night-hazards|sandboxes|version-pairs)\.test\.js$/;
/** So many seconds of tests are one process's work when files share it. */
const GROUP_SECONDS = 8;

/** @param files paths below dist; @returns jobs {files, seconds}, the longest first. */
export function planJobs(files) {
  const times = lastTimes();
  const secondsOf = (file) => times[file]?.seconds ?? guess(file);
  const alone = files
    .filter((file) => !isPure(file))
    .map((file) => ({ files: [file], seconds: secondsOf(file) }));
  const groups = inGroups(files.filter(isPure), secondsOf);
  return [...alone, ...groups].sort((a, b) => b.seconds - a.seconds);
}

/** The next run of this checkout starts with what took longest in this one. CPU is known of whole processes only. */
export function rememberTimes(results) {
  const times = lastTimes();
  for (const { files, seconds, cpu, perFile } of results)
    for (const file of files)
      times[file] = files.length === 1 ? { seconds, cpu } : { seconds: perFile[file] ?? 0 };
  writeFileSync(TIMES, `${JSON.stringify(times, null, 1)}\n`);
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

/** Of a file that never ran here. One that is long and begins last keeps the other cores waiting. */
function guess(file) {
  if (isPure(file)) return 0.15;
  if (!file.startsWith('test/')) return 1;
  return LONG.test(file) ? 30 : 10;
}

function lastTimes() {
  try {
    return JSON.parse(readFileSync(TIMES, 'utf8'));
  } catch {
    return {};
  }
}
