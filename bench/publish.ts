// What "nightmark publish" costs on a home with many nights: all of it, nothing new, one more night, and another.
// The home is a store without files of results. Usage: node dist/bench/publish.js [experiments] [nights] [directory|git-branch]
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { addOneNight, makeHome } from './page/make-home.ts';

const EXPERIMENTS = Number(process.argv[2] ?? 1_000);
const NIGHTS = Number(process.argv[3] ?? 1_000);
const IS_GIT = process.argv[4] === 'git-branch';
const root = mkdtempSync(join(tmpdir(), 'nightmark-bench-publish-'));
const home = join(root, 'home');
const size = { experiments: EXPERIMENTS, series: 1, nights: NIGHTS };
const target = IS_GIT ? `git:${join(root, 'site.git')}#pages` : `dir:${join(root, 'site')}`;

try {
  execFileSync('mkdir', ['-p', join(home, '.nightmark')]);
  writeFileSync(join(home, 'nightmark.yml'), 'project: bench\nexperiments: {}\n');
  if (IS_GIT) execFileSync('git', ['init', '-q', '--bare', join(root, 'site.git')]);
  await makeHome(home, size);
  console.log(
    `${EXPERIMENTS} experiments with ${NIGHTS} nights each, to ${IS_GIT ? 'a branch' : 'a folder'}`,
  );
  publish('everything');
  publish('nothing new');
  await addOneNight(home, size, 0);
  publish('one more night');
  await addOneNight(home, size, 1);
  publish('another night');
} finally {
  rmSync(root, { recursive: true });
}

interface Report {
  readonly written: readonly unknown[];
  readonly bytesWritten: number;
  readonly unchanged: number;
}

/** The command itself, in a process of its own that says at its end what it took. */
function publish(name: string): void {
  const usage = join(root, 'usage.json');
  const atExit = `import{writeFileSync}from'node:fs';process.on('exit',()=>writeFileSync(${JSON.stringify(usage)},JSON.stringify(process.resourceUsage())))`;
  const start = performance.now();
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [
      ...['--import', `data:text/javascript,${encodeURIComponent(atExit)}`],
      ...[join(import.meta.dirname, '../src/cli/nightmark.cjs'), 'publish', home, '--to', target, '--json'],
    ],
    { encoding: 'utf8', maxBuffer: 1 << 30 },
  );
  const seconds = (performance.now() - start) / 1000;
  if (status !== 0) throw new Error(stderr);
  const { written, bytesWritten, unchanged } = JSON.parse(stdout) as Report;
  const { userCPUTime, systemCPUTime, maxRSS } = JSON.parse(
    readFileSync(usage, 'utf8'),
  ) as NodeJS.ResourceUsage;
  console.log(
    `  ${name.padEnd(15)} ${String(written.length).padStart(6)} files written, ${(bytesWritten / 1e6).toFixed(2).padStart(8)} MB, ${unchanged} unchanged, ${seconds.toFixed(2)} s, ${((userCPUTime + systemCPUTime) / 1e6).toFixed(2)} s of processor; peak memory ${Math.round(maxRSS / 1024)} MiB`,
  );
}
