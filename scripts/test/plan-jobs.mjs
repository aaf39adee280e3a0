// Which files share a process, and which come first.
import { readFileSync, writeFileSync } from 'node:fs';

const TIMES = 'dist/test-times.json';
/** Half a minute and more, where no earlier run says so: one that begins last keeps the other cores waiting. */
const LONG =
  /(duet-containers|job-many|job-work|kill-and-resume|page(-\w+)?|pipeline|relay|sandboxes|site|slurm|store-away)\.test\.js$/;
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

/**
 * Nothing of it can reach another file of the same process: no server, no program, no global, no hook. Node runs the after()
 * of all files as soon as no test is left, while the next file may still be loading.
 */
function isPure(file) {
  return file.startsWith('src/') && !REACHES.test(readFileSync(`dist/${file}`, 'utf8'));
}

const REACHES =
  /^(?:before|after)(?:Each)?\(|\bprocess\.(?:env|chdir|on|exit)|\bglobalThis\.\w+ = |from '(?:node:(?:child_process|http|net|dgram|worker_threads)|[./]+test\/support\/.*)'/m;

/** Of a file that never ran here. */
function guess(file) {
  if (LONG.test(file)) return 30;
  if (isPure(file)) return 0.15;
  return file.startsWith('test/') ? 10 : 1;
}

function lastTimes() {
  try {
    return JSON.parse(readFileSync(TIMES, 'utf8'));
  } catch {
    return {};
  }
}
