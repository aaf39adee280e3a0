// A home with many series: what it costs to judge one more night, against judging everything from scratch.
// Usage: node dist/bench/changes.js [series] [nights] [rounds]

import { mkdirSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openSqliteStore as openStore } from '../src/home/adapters/store/sqlite-store.ts';
import { homeLayout } from '../src/home/core/home-layout.ts';
import type { Store } from '../src/home/core/store.ts';
import { type JudgeReport, judgeHome } from '../src/judge/app/changes/judge-home.ts';
import { DEFAULT_RULES } from '../src/judge/app/series/judging-rules.ts';
import type { JudgeScope } from '../src/judge/app/series/series-to-judge.ts';
import localDisk from '../src/platform/adapters/local-disk/local-disk.ts';
import { normalQuantile } from '../src/stats/distributions.ts';
import { seededRandom } from '../src/stats/random.ts';

const [series = 2_000, nights = 300, rounds = 5] = process.argv.slice(2).map(Number);
const EXPERIMENTS = 20;
const DAY_MS = 86_400_000;
const START = Date.UTC(2025, 0, 1, 3);
const random = seededRandom(5);
const home = mkdtempSync(join(tmpdir(), 'nightmark-bench-changes-'));
mkdirSync(homeLayout(home).own);
const store = await openStore(homeLayout(home).index);

try {
  for (let night = 0; night < nights; night++) await addNight(store, night);
  tell('from scratch', await measured({}));
  const costs: number[] = [];
  let report: JudgeReport | undefined;
  for (let round = 0; round < rounds; round++) {
    const night = nights + round;
    const id = await addNight(store, night);
    const one = await measured({ run: { id, experiments: experimentNames() } });
    costs.push(one.cpuMs);
    report = one.report;
    tell(`night ${night + 1}`, one);
  }
  const small = await addNight(store, nights + rounds, 1);
  tell('night of one experiment', await measured({ run: { id: small, experiments: ['e0'] } }));
  const again = await measured({});
  tell('all again', again);
  const middle = costs.sort((a, b) => a - b)[costs.length >> 1] ?? 0;
  const ledger = statSync(homeLayout(home).changes).size;
  const peak = Math.round(process.resourceUsage().maxRSS / 1024);
  console.log(`a night costs ${(middle / again.cpuMs).toFixed(2)} of judging all in the same run`);
  console.log(`${report?.judged} series a night; ledger ${ledger} bytes; peak memory ${peak} MiB`);
} finally {
  store.close();
  rmSync(home, { recursive: true });
}

function experimentNames(): readonly string[] {
  return Array.from({ length: EXPERIMENTS }, (_, index) => `e${index}`);
}

/** One series in ten has a step of 10 % somewhere in the past. */
async function addNight(store: Store, night: number, only = EXPERIMENTS): Promise<string> {
  const id = `r${String(night).padStart(6, '0')}`;
  const at = START + night * DAY_MS;
  await store.together(async () => {
    await store.saveRun({
      ...{ id, kind: 'night', project: 'bench', label: id, state: 'finished', startedAt: at },
      ...{ order: [], origin: 'measured', warnings: [] },
    });
    for (const [number, task] of experimentNames().slice(0, only).entries()) {
      await store.saveTrials([
        { runId: id, task, kind: 'experiment', state: 'succeeded', message: '', commits: {} },
      ]);
      const values = Array.from({ length: series / EXPERIMENTS }, (_, index) => {
        const own = number * 1_000 + index;
        const level = own % 10 === 0 && night > (own * 7) % nights ? 1.1 : 1;
        const value = level * (1 + 0.01 * normalQuantile(Math.max(1e-9, random())));
        return { experiment: task, path: [`m${index}`], unit: 's', better: 'lower', value } as const;
      });
      await store.saveValues({ runId: id, task, at, values });
    }
  });
  return id;
}

async function measured(scope: JudgeScope) {
  const before = process.cpuUsage();
  const from = performance.now();
  const clock = { now: () => Date.now() };
  const report = await judgeHome({ home, rules: DEFAULT_RULES, scope }, { disk: localDisk, store, clock });
  const { user, system } = process.cpuUsage(before);
  return { cpuMs: (user + system) / 1_000, wallMs: performance.now() - from, report };
}

function tell(what: string, { cpuMs, wallMs, report }: Awaited<ReturnType<typeof measured>>): void {
  const { judged, found, confirmed, withdrawn } = report;
  const counts = `${judged} judged, ${found.length} found, ${confirmed.length} confirmed, ${withdrawn.length} withdrawn`;
  console.log(`${what}: ${cpuMs.toFixed(0)} ms processor, ${wallMs.toFixed(0)} ms; ${counts}`);
}
