// Runs the compiled tests, several processes at a time, the longest first.
// Usage: node scripts/test.mjs [part of a file name] [--update]
// --update: suites with recorded expectations write what they find (test/contracts/formats.test.ts); read the diff.
// Node's own --test leaves a core idle (it runs one file less than there are cores) and starts a process for every
// file; most of ours are pure and done in milliseconds. Here these share a process (scripts/test/group.mjs).
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { planJobs, rememberTimes } from './test/plan-jobs.mjs';
import { runJob } from './test/run-job.mjs';
import { sortOut } from './test/unsteady.mjs';

// Tests start the bundled program: never one that is older than what they were compiled with.
const bundle = 'scripts/build.mjs';
if (existsSync(bundle)) execFileSync(process.execPath, [bundle, '--if-older'], { stdio: 'inherit' });

const [only = ''] = process.argv.slice(2).filter((argument) => !argument.startsWith('--'));
if (process.argv.includes('--update')) process.env.NIGHTMARK_TEST_UPDATE = '1';
const files = readdirSync('dist', { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.test.js') && file.includes(only))
  .filter((file) => existsSync(file.replace(/\.js$/, '.ts'))); // left over from an earlier build

if (files.length === 0) throw new Error(`No compiled test matches "${only}". Run "npm run build" first.`);

const began = Date.now();
const folder = mkdtempSync(join(tmpdir(), 'nightmark-test-run-'));
const jobs = planJobs(files);
const results = [];
// Tests wait for servers, timers and children: one process more than cores keeps the cores at work.
const width = Number(process.env.NIGHTMARK_TEST_PROCESSES || availableParallelism() + 1);
const next = async () => {
  for (let job = jobs.shift(); job !== undefined; job = jobs.shift()) {
    const result = await runJob(job, join(folder, `${jobs.length}.json`));
    process.stdout.write(result.output);
    results.push(result);
  }
};
await Promise.all(Array.from({ length: width }, next));
rmSync(folder, { recursive: true, force: true });
rememberTimes(results);

const { failures, listed, wrong } = sortOut(results);
report('Failed (shown in full above):', failures.map(failureLine));
report('Unsteady, listed in test/unsteady.json:', listed);
report('Wrong in test/unsteady.json:', wrong);
report('The slowest:', slowest());
report('All:', [...totals(), `ℹ duration_ms ${Date.now() - began}`]);
process.exitCode = failures.length + wrong.length === 0 ? 0 : 1;

function report(title, lines) {
  if (lines.length > 0) process.stdout.write(`\n${[title, ...lines].join('\n')}\n`);
}

function failureLine({ name, file, line, said }) {
  // What scripts/test/group.mjs could not load is in the name.
  const place = file.startsWith('..') ? [] : [line === undefined ? file : `${file}:${line}`];
  const head = `✖ ${[...place, name].join('  ')}`;
  return said === undefined ? head : `${head}\n${said.replace(/^/gm, '    ')}`;
}

function slowest() {
  const longest = results.sort((a, b) => b.seconds - a.seconds).slice(0, 10);
  return longest.map(({ files: [first, ...more], seconds, cpu }) => {
    const spent = cpu === undefined ? '' : `, ${cpu.toFixed(1)} s of CPU`;
    return `${seconds.toFixed(1).padStart(7)} s${spent}  ${first}${more.length === 0 ? '' : ` and ${more.length} more`}`;
  });
}

function totals() {
  const sum = (kind) => results.reduce((total, { counts }) => total + counts[kind], 0);
  return Object.keys(results[0].counts).map((kind) => `ℹ ${kind} ${sum(kind)}`);
}
