// What a publication costs: all of it, nothing new, one more night, one experiment. A made-up site, written to a real target.
// Usage: node dist/bench/publish.js [experiments] [nights] [directory|git-branch]
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import disk from '../src/adapters/disks/local/index.ts';
import locks from '../src/adapters/locks/sqlite/index.ts';
import { publishSite } from '../src/app/publish/publish-site.ts';
import { openStampBook } from '../src/app/publish/stamp-book.ts';
import { loadAdapter } from '../src/cli/adapters.ts';
import type { Publisher } from '../src/core/ports/publisher.ts';
import { documentText } from '../src/core/site/document.ts';
import type { SiteFile, SiteFiles } from '../src/core/site/site-file.ts';

const EXPERIMENTS = Number(process.argv[2] ?? 1_000);
const NIGHTS = Number(process.argv[3] ?? 1_000);
const ID = process.argv[4] ?? 'directory';
/** Nights in one document of a history: whole ones never change again. */
const BLOCK = 128;
const root = mkdtempSync(join(tmpdir(), 'nightmark-bench-publish-'));
const publisher = await loadAdapter<Publisher>('publishers', ID);
const place = ID === 'directory' ? join(root, 'site') : `${join(root, 'site.git')}#pages`;
if (ID === 'git-branch') execFileSync('git', ['init', '-q', '--bare', join(root, 'site.git')]);

let made = 0;
try {
  const signal = new AbortController().signal;
  const env = { PATH: process.env['PATH'] ?? '' };
  console.log(`${EXPERIMENTS} experiments with ${NIGHTS} nights each, to ${publisher.title}`);
  const steps: readonly [string, SiteFiles][] = [
    ['everything', site(NIGHTS)],
    ['nothing new', site(NIGHTS)],
    ['one more night', site(NIGHTS + 1)],
    ['another night', site(NIGHTS + 2)],
    ['one experiment', site(NIGHTS + 2, 1)],
  ];
  for (const [name, files] of steps) {
    made = 0;
    const holder = { id: name.replaceAll(' ', '-'), host: 'bench', processId: process.pid };
    const options = {
      mode: 'write',
      workFolder: root,
      cwd: root,
      env,
      signal,
      locks,
      holder,
      now: Date.now,
    } as const;
    const start = performance.now();
    const cpu = process.cpuUsage();
    const publication = await publisher.open(place, options);
    const stamps = await openStampBook(join(root, 'stamps.json'), disk);
    const site = { files, isDryRun: false, status: async () => `${Date.now()}`, statusPath: 'status.js' };
    const report = await publishSite(site, {
      publication,
      stamps,
      newHash,
      encode: (text) => Buffer.from(text),
      signal,
    });
    await stamps.save();
    await publication.close('done');
    const { user, system } = process.cpuUsage(cpu);
    console.log(
      `  ${name.padEnd(15)} ${String(report.written.length).padStart(6)} files written, ${(report.bytesWritten / 1e6).toFixed(2).padStart(8)} MB, ${String(made).padStart(6)} made, ${report.unchanged} unchanged, ${((performance.now() - start) / 1000).toFixed(2)} s, ${((user + system) / 1e6).toFixed(2)} s of processor; peak memory ${Math.round(process.resourceUsage().maxRSS / 1024)} MiB`,
    );
  }
} finally {
  rmSync(root, { recursive: true });
}

/** Histories in blocks, one document for each experiment and each run. `touched` experiments have something new of their own. */
async function* site(nights: number, touched = 0): SiteFiles {
  yield document('data/overview.js', `${nights} ${touched}`, () => ({ nights, experiments: EXPERIMENTS }));
  for (let experiment = 0; experiment < EXPERIMENTS; experiment++) {
    const own = experiment < touched ? 'touched' : '';
    yield document(`data/experiments/e${experiment}.js`, `${nights} ${own}`, () => ({
      own,
      tail: values(experiment, nights - (nights % BLOCK), nights),
    }));
  }
  for (let experiment = 0; experiment < EXPERIMENTS; experiment++) {
    for (let from = 0; from + BLOCK <= nights; from += BLOCK)
      yield document(`data/history/e${experiment}/${from}.js`, 'whole', () =>
        values(experiment, from, from + BLOCK),
      );
  }
  for (let night = Math.max(0, nights - 1_000); night < nights; night++) {
    const make = () =>
      Array.from({ length: EXPERIMENTS }, (_, task) => ({
        task: `e${task}`,
        state: 'succeeded',
        ms: task * night,
      }));
    yield document(`data/runs/n${night}.js`, 'ended', make);
  }
}

function document(path: string, stamp: string, make: () => unknown): SiteFile {
  return {
    path,
    isNamed: false,
    stamp,
    async *bytes() {
      made++;
      yield Buffer.from(documentText(path, make()));
    },
  };
}

function values(experiment: number, from: number, to: number) {
  const nights = Array.from({ length: to - from }, (_, place) => from + place);
  return { nights, values: nights.map((night) => Math.sin(experiment * 31 + night) * 100) };
}

function newHash() {
  const hash = createHash('sha256');
  return { update: (bytes: Uint8Array) => void hash.update(bytes), digest: () => hash.digest('hex') };
}
