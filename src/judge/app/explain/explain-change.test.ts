import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { type TestContext, test } from 'node:test';
import executor from '../../../executors/adapters/process/process.ts';
import { gitSources as openSources } from '../../../git/adapters/git.ts';
import { openSqliteStore as openStore } from '../../../home/adapters/store/sqlite-store.ts';
import type { ChangeRecord, JudgedSeries } from '../../../home/core/changes/change.ts';
import { homeLayout, runFiles } from '../../../home/core/home-layout.ts';
import type { Store } from '../../../home/core/store.ts';
import disk from '../../../platform/adapters/local-disk/local-disk.ts';
import type { JsonObject } from '../../../platform/core/text/json.ts';
import { describeExplanation } from '../../core/explain/explanation-text.ts';
import { judgeHome } from '../changes/judge-home.ts';
import { DEFAULT_RULES } from '../series/judging-rules.ts';
import { explainRecord } from './explain-change.ts';
import type { ExplainEffects } from './run-facts.ts';

const signal = new AbortController().signal;
const day = 86_400_000;
const first = Date.UTC(2026, 0, 1);

/** One night of the experiment "sort". */
interface Night {
  readonly value: number;
  readonly machine?: { readonly id: string; readonly facts: JsonObject };
  readonly commit?: string;
  readonly temperature?: number;
  readonly data?: JsonObject;
  readonly extra?: JsonObject;
  readonly warnings?: readonly string[];
}

const idOf = (index: number) => `night-${String(index).padStart(4, '0')}`;

async function homeWith(t: TestContext, nights: readonly Night[]) {
  const home = realpathSync(mkdtempSync(join(tmpdir(), 'nightmark-explain-')));
  const store = await openStore(homeLayout(home).index);
  t.after(() => {
    store.close();
    rmSync(home, { recursive: true, force: true });
  });
  await store.together(async () => {
    for (const [index, night] of nights.entries()) await saveNight(index, night);
  });
  await judge(home, store);
  return { home, store };

  async function saveNight(index: number, night: Night): Promise<void> {
    const [runId, at] = [idOf(index), first + index * day];
    const { machine, commit } = night;
    if (machine) {
      await store.saveMachine({ ...machine, name: 'lab' });
      put(runFiles(home, runId).journal, `${JSON.stringify({ type: 'begin', machine })}\n`);
    }
    await store.saveRun({
      id: runId,
      kind: 'night',
      project: 'p',
      label: `l${index}`,
      state: 'finished',
      startedAt: at,
      ...(machine && { machineId: machine.id }),
      order: [],
      origin: 'measured',
      warnings: night.warnings ?? [],
    });
    const task = { task: 'sort', kind: 'experiment', message: '' } as const;
    const commits = commit === undefined ? {} : { garage: commit };
    await store.saveTrials([{ ...task, runId, state: 'succeeded', commits }]);
    const stage = { stage: 'run', success: true, startedAt: at, durationMs: 1, attempts: 1 } as const;
    await store.saveStages(runId, [{ ...task, ...stage, extra: night.extra ?? {} }]);
    const values = [{ experiment: 'sort', path: ['time'], value: night.value }];
    await store.saveValues({ runId, task: 'sort', at, values });
    if (night.data)
      put(join(homeLayout(home).data('sort'), `data_l${index}.json`), JSON.stringify(night.data));
    if (night.temperature !== undefined) {
      const column = { name: 'cpu.k10temp', tags: { experiment: 'sort', label: 'Tctl' }, unit: '°C' };
      const readings = Float64Array.of(night.temperature - 1, night.temperature + 1);
      await store.appendPoints(runId, [{ ...column, times: Float64Array.of(at, at + 1), values: readings }]);
    }
  }
}

function put(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}

const noise = (index: number) => ((index * 7919) % 13) / 13;

/** 40 nights at 100, then 30 at 110. */
function nights(night: (index: number, isAfter: boolean) => Omit<Night, 'value'>): readonly Night[] {
  return Array.from({ length: 70 }, (_, index) => ({
    value: (index < 40 ? 100 : 110) + noise(index),
    ...night(index, index >= 40),
  }));
}

function recordAt(runId: string, series: JudgedSeries): ChangeRecord {
  const shift = { difference: 10, low: 9, high: 11, level: 0.95 };
  return {
    ...{
      id: 'c1',
      series,
      unit: 's',
      better: 'lower',
      at: first + 40 * day,
      runId,
      before: 100.5,
      after: 110.5,
    },
    ...{
      shift,
      p: 1e-6,
      direction: 'worse',
      isProvisional: false,
      detector: 'nightmark-1',
      foundAt: 0,
      state: 'new',
    },
  };
}

function judge(home: string, store: Store) {
  return judgeHome({ home, rules: DEFAULT_RULES, scope: {} }, { disk, store, clock: { now: () => first } });
}

const sort: JudgedSeries = { kind: 'value', experiment: 'sort', path: ['time'] };
const lab = { cpu: 'EPYC', cores: 8, kernel: '6.1', libc: 'glibc 2.36', governor: 'performance' };

async function explain(t: TestContext, list: readonly Night[], more: Partial<ExplainEffects> = {}) {
  const { home, store } = await homeWith(t, list);
  return explainRecord(home, recordAt(idOf(40), sort), { store, disk, signal, ...more });
}

test('a kernel upgrade is named, with a commit each night beside it', async (t) => {
  const explanation = await explain(
    t,
    nights((index, isAfter) => ({
      machine: isAfter
        ? { id: 'm2', facts: { ...lab, kernel: '6.5', memoryBytes: 2 ** 34 - 5 } }
        : { id: 'm1', facts: { ...lab, memoryBytes: 2 ** 34 } },
      commit: `a0000${index}`,
      temperature: 50 + noise(index * 3),
      data: { timestamp: `l${index}`, build: { compiler: 'gcc 12' }, host_time: `${index} o'clock` },
    })),
  );
  assert.equal(explanation.sentence, 'Only difference besides the commit: kernel 6.1 -> 6.5.');
  assert.deepEqual(explanation.sources, [{ name: 'garage', before: 'a000039', after: 'a000040' }]);
  assert.equal(explanation.points, 70);
  assert.equal(explanation.unknown, 0);
  // CPU, cores, libc, governor, memory, origin, compiler and the temperature; not the text that is always new.
  assert.equal(explanation.unchanged, 8);
});

test('a governor is seen to change although the machine has one id and one description in the index', async (t) => {
  const explanation = await explain(
    t,
    nights((_, isAfter) => ({
      machine: { id: 'm1', facts: { ...lab, governor: isAfter ? 'powersave' : 'performance' } },
    })),
  );
  assert.equal(explanation.sentence, 'Only difference: governor performance -> powersave.');
});

test('versions from data files and status files, warnings and telemetry are facts', async (t) => {
  const explanation = await explain(
    t,
    nights((index, isAfter) => ({
      data: { build: { compiler: isAfter ? 'gcc 13' : 'gcc 12' }, time: 1 },
      extra: { linker: isAfter ? 'mold' : 'ld', note: 'x' },
      warnings: isAfter ? [`load ${index / 7} before the run`] : [],
      temperature: (isAfter ? 80 : 50) + noise(index * 3),
    })),
  );
  const [cause, heat] = explanation.causes;
  assert.deepEqual(
    cause?.facts.map(({ name, before, after }) => [name, before, after]),
    [
      ['linker', 'ld', 'mold'],
      ['build.compiler', 'gcc 12', 'gcc 13'],
      ['load # before the run', false, true],
    ],
  );
  assert.equal(heat?.facts[0].name, 'k10temp Tctl');
  assert.match(
    explanation.sentence,
    /^Fits best: linker ld -> mold, build\.compiler gcc 12 -> gcc 13 and warning/,
  );
});

test('nothing recorded, nothing changed, and a home without its runs are reported as such', async (t) => {
  const quiet = await explain(
    t,
    nights(() => ({})),
  );
  assert.equal(quiet.sentence, 'Nothing that is recorded changed.');
  const { home, store } = await homeWith(
    t,
    nights(() => ({})),
  );
  const lost = { ...recordAt(idOf(0), sort) };
  await assert.rejects(explainRecord(home, lost, { store, disk, signal }), { code: 'CHANGES_NOT_EXPLAINED' });
  const gone = { ...recordAt(idOf(40), { ...sort, path: ['gone'] }) };
  await assert.rejects(explainRecord(home, gone, { store, disk, signal }), { code: 'CHANGES_NOT_EXPLAINED' });
});

test('damaged journals and data files are facts less, not failures', async (t) => {
  const { home, store } = await homeWith(
    t,
    nights(() => ({ machine: { id: 'm1', facts: lab }, data: { a: 'b' } })),
  );
  for (const index of [38, 39, 40, 41]) {
    put(runFiles(home, idOf(index)).journal, '{"type":"begin","machine":[1]}\n\0');
    put(join(homeLayout(home).data('sort'), `data_l${index}.json`), '{"a": ');
  }
  const explanation = await explainRecord(home, recordAt(idOf(40), sort), { store, disk, signal });
  assert.equal(explanation.sentence, 'Nothing that is recorded changed.');
  assert.deepEqual(explanation.causes, []);
});

test('commits between both sides come from the cache of sources, with subjects', async (t) => {
  const base = realpathSync(mkdtempSync(join(tmpdir(), 'nightmark-origin-')));
  t.after(() => rmSync(base, { recursive: true, force: true }));
  const env = { PATH: process.env['PATH'] ?? '', HOME: base };
  const git = (...args: string[]) =>
    execFileSync('git', ['-C', base, '-c', 'user.name=Ada', '-c', 'user.email=a@b.c', ...args], {
      env,
      encoding: 'utf8',
    }).trim();
  git('init', '--quiet', '--initial-branch=main');
  const commits = Array.from({ length: 14 }, (_, index) => {
    git('commit', '--quiet', '--allow-empty', '-m', index === 13 ? 'Sort \u001b[31mslower' : `Step ${index}`);
    return git('rev-parse', '--short', 'HEAD');
  });
  const { home, store } = await homeWith(
    t,
    nights((_, isAfter) => ({ commit: commits[isAfter ? 13 : 1] ?? '' })),
  );
  const control = openSources(executor);
  const source = { name: 'garage', git: base, skipWhenUnchanged: false, keep: 2 };
  const cacheDir = homeLayout(home).sourceCache;
  await control.prepare({ source, cacheDir, logFile: join(base, 'log'), fetch: true, env }, signal);
  const record = recordAt(idOf(40), sort);
  const explanation = await explainRecord(home, record, { store, disk, signal, commits: control });
  assert.equal(
    explanation.sentence,
    `12 commits of garage between ${commits[1]} and ${commits[13]}; nothing else that is recorded changed.`,
  );
  const lines = describeExplanation(explanation);
  assert.ok(
    lines.some((line) => /^ {2}[0-9a-f]{12} {2}20\d\d-\d\d-\d\d {2}Ada {2}Sort ␛\[31mslower$/.test(line)),
  );
  assert.ok(lines.includes('  and 2 more'));
});

test('a KPI is explained by settings and metadata of its tests', async (t) => {
  const { home, store } = await homeWith(t, []);
  await store.savePayloads(
    Array.from({ length: 30 }, (_, index) => {
      const start = new Date(first + index * day).toISOString();
      const settings = { gpu: 'A100', batch: 8, image_digest: index < 15 ? 'sha256:aa' : 'sha256:bb' };
      return {
        metadata: { start, end: start, test_uuid: `t${index}`, settings, ci: `job ${index}` },
        results: {},
        kpis: {
          latency: { help: '', unit: 's', value: (index < 15 ? 1 : 2) + noise(index) / 9, model: 'llama' },
        },
      };
    }),
  );
  const series: JudgedSeries = { kind: 'kpi', name: 'latency', labels: { model: 'llama' } };
  await assert.rejects(explainRecord(home, recordAt('t15', series), { store, disk, signal }), {
    code: 'CHANGES_NOT_EXPLAINED',
    message: 'The change c1 cannot be explained yet: the values of its series are not judged.',
  });
  await store.saveChanges([recordAt('t15', series)]);
  await judge(home, store);
  const explanation = await explainRecord(home, recordAt('t15', series), { store, disk, signal });
  assert.equal(explanation.sentence, 'Only difference: image_digest sha256:aa -> sha256:bb.');
  assert.equal(explanation.unchanged, 2);
});
