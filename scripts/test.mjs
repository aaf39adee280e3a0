// Runs the compiled tests, several processes at a time, the longest first.
// Usage: node scripts/test.mjs [part of a file name]
// Node's own --test leaves a core idle (it runs one file less than there are cores) and starts a process for every
// file; most of ours are pure and done in milliseconds. Here these share a process (scripts/test/group.mjs).
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { planJobs, rememberTimes } from './test/plan-jobs.mjs';
import { runJob } from './test/run-job.mjs';
import { summarize } from './test/summarize.mjs';

// Tests start the bundled program: never one that is older than what they were compiled with.
const bundle = 'scripts/build.mjs';
if (existsSync(bundle)) execFileSync(process.execPath, [bundle, '--if-older'], { stdio: 'inherit' });

const only = process.argv[2] ?? '';
const files = readdirSync('dist', { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.test.js') && file.includes(only))
  .filter((file) => existsSync(file.replace(/\.js$/, '.ts'))); // left over from an earlier build

if (files.length === 0) throw new Error(`No compiled test matches "${only}". Run "npm run build" first.`);

/** More than that fail for one reason. */
const MOST_AGAIN = 3;

const began = Date.now();
const folder = mkdtempSync(join(tmpdir(), 'nightmark-test-run-'));
const jobs = planJobs(files);
const results = [];
// Tests wait for servers, timers and children: one process more than cores keeps the cores at work.
const width = Number(process.env.NIGHTMARK_TEST_PROCESSES ?? availableParallelism() + 1);
const next = async () => {
  for (let job = jobs.shift(); job !== undefined; job = jobs.shift()) {
    const result = await runJob(job, join(folder, `${jobs.length}.json`));
    process.stdout.write(result.output);
    results.push(result);
  }
};
await Promise.all(Array.from({ length: width }, next));
await againAlone();
rmSync(folder, { recursive: true, force: true });
rememberTimes(results);
const { text, isGreen } = summarize(results, (Date.now() - began) / 1000);
process.stdout.write(text);
process.exitCode = isGreen ? 0 : 1;

/**
 * Three files at once on two cores, real servers and measured times: now and then a test fails for its neighbours. Few such
 * files get a second run with the machine to themselves. What fails there is broken; what passes is told as unsteady.
 */
async function againAlone() {
  const failed = results.filter(
    ({ counts, failures }) => failures.length + counts.fail + counts.cancelled > 0,
  );
  if (width === 1 || failed.length > MOST_AGAIN) return;
  for (const first of failed) {
    process.stdout.write(`\nOnce more, alone: ${first.files.join(' ')}\n`);
    const second = await runJob(first, join(folder, `again-${results.indexOf(first)}.json`));
    process.stdout.write(second.output);
    results[results.indexOf(first)] = { ...second, unsteady: first.failures };
  }
}
