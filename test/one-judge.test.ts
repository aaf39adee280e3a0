import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import type { HomeValues, HomeView } from '../src/dashboard/app/home/home-view.ts';
import type { ExperimentHistory } from '../src/dashboard/app/read-history.ts';
import { openSqliteStore } from '../src/home/adapters/store/sqlite-store.ts';
import { watchIndex } from '../src/home/cli/home-index.ts';
import { readHome } from '../src/home/config/read-home.ts';
import type { Better, Shift } from '../src/home/core/changes/change.ts';
import type { FollowedChange } from '../src/home/core/changes/change-ledger.ts';
import { homeLayout } from '../src/home/core/home-layout.ts';
import { readChange } from '../src/judge/app/changes/read-change.ts';
import { judgingRules } from '../src/judge/app/series/judging-rules.ts';
import { readCurrent } from '../src/judge/app/series/stored-judgements.ts';
import { judgeSeries } from '../src/judge/core/changes/judge-series.ts';
import type { StandingVerdict } from '../src/judge/core/changes/reference-level.ts';
import type { NoisePrior } from '../src/judge/core/newest/value-noise.ts';
import localDisk from '../src/platform/adapters/local-disk/local-disk.ts';
import { documentFile, readDocument } from '../src/platform/core/site/site-files.ts';
import { createServer } from '../src/server/create-server.ts';
import { type Beyond, beyond } from '../src/stats/beyond.ts';
import { normalQuantile } from '../src/stats/distributions.ts';
import { seededRandom } from '../src/stats/random.ts';
import { runInProcess } from './support/in-process.ts';
import { follow } from './support/published-site.ts';

// Histories and rules are drawn at random; every surface must give the answer of the judge.
const HOMES = Number(process.env['NIGHTMARK_TEST_JUDGED_HOMES'] ?? 2);
const [EXPERIMENTS, SERIES] = [10, 10];
const DAY_MS = 86_400_000;
const FIRST = Date.UTC(2026, 0, 1, 2);

for (let seed = 1; seed <= HOMES; seed++)
  test(`all surfaces answer the same for ${EXPERIMENTS * SERIES} histories and rules, seed ${seed}`, async (t) => {
    const drawn = draw(seed);
    const home = await makeHome(t, drawn);
    await checkSurfaces(home, drawn);
    await reviewSome(home);
    await checkSurfaces(home, drawn);
    // Other rules: everything is judged again, once, and says so.
    const stricter = { ...drawn, regress: '{min-effect: 30%}' };
    writeFileSync(join(home, 'nightmark.yml'), definitionOf(stricter));
    const again = await runInProcess(['changes', home]);
    assert.match(again.stderr, /The rules of the definition changed: \d+ series judged; /);
    assert.equal((await runInProcess(['changes', home])).stderr, '');
    await checkSurfaces(home, stricter);
  });

interface DrawnSeries {
  readonly name: string;
  readonly values: readonly number[];
  readonly better: Better;
}

interface DrawnExperiment {
  readonly name: string;
  readonly regress: string;
  readonly series: readonly DrawnSeries[];
}

interface Drawn {
  readonly regress: string;
  readonly nights: number;
  readonly experiments: readonly DrawnExperiment[];
}

const RULES = [
  '{}',
  '{min-effect: 5%}',
  '{min-effect: 20%}',
  '{min-effect: 5%, or-likely: true}',
  '{min-difference: 8}',
  '{ignore: ["*3/*", "s7/*"]}',
] as const;

function draw(seed: number): Drawn {
  const random = seededRandom(seed);
  const oneOf = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T;
  const nights = oneOf([4, 8, 20, 60]);
  const experiments = Array.from({ length: EXPERIMENTS }, (_, at): DrawnExperiment => {
    const series = Array.from({ length: SERIES }, (_, number): DrawnSeries => {
      const noise = oneOf([0.003, 0.01, 0.03]);
      const steps = [0, 1, 2].slice(0, oneOf([0, 0, 1, 1, 2])).map(() => ({
        at: oneOf([nights - 1, nights - 2, Math.floor(random() * nights)]),
        factor: oneOf([0.7, 0.9, 0.97, 1.03, 1.08, 1.3]),
      }));
      const values = Array.from({ length: nights }, (_, night) => {
        const level = steps.reduce((value, step) => (night >= step.at ? value * step.factor : value), 100);
        const isGap = night < nights - 1 && random() < 0.03;
        return isGap ? Number.NaN : level * (1 + noise * normalQuantile(Math.max(1e-9, random())));
      });
      return { name: `s${number}`, values, better: oneOf(['lower', 'higher', 'lower', 'unknown']) };
    });
    return { name: `e${at}`, regress: RULES[at % RULES.length] as string, series };
  });
  return { regress: oneOf(['{}', '{budget: 1 per week}', '{min-effect: 3%}']), nights, experiments };
}

function definitionOf({ regress, experiments }: Drawn): string {
  const tasks = experiments.map(
    ({ name, regress: own }) => `  ${name}: {run: "true", regress: ${own}, active: false}\n`,
  );
  return `project: drawn\nregress: ${regress}\nexperiments:\n${tasks.join('')}`;
}

async function makeHome(t: TestContext, drawn: Drawn): Promise<string> {
  const home = realpathSync(mkdtempSync(join(tmpdir(), 'nightmark-one-judge-')));
  t.after(() => rmSync(home, { recursive: true, force: true }));
  mkdirSync(homeLayout(home).own, { recursive: true });
  writeFileSync(join(home, 'nightmark.yml'), definitionOf(drawn));
  const store = await openSqliteStore(homeLayout(home).index);
  await store.together(async () => {
    for (let night = 0; night < drawn.nights; night++) {
      const [runId, startedAt] = [`n${String(night).padStart(3, '0')}`, FIRST + night * DAY_MS];
      await store.saveRun({
        ...{ id: runId, kind: 'night', project: 'drawn', label: runId, state: 'finished', startedAt },
        ...{ endedAt: startedAt + 1, order: [], origin: 'measured', warnings: [] },
      });
      for (const { name, series } of drawn.experiments) {
        await store.saveTrials([
          { runId, task: name, kind: 'experiment', state: 'succeeded', message: '', commits: {} },
        ]);
        const values = series.map((one) => ({
          ...{ experiment: name, path: [one.name, 'widgets'], unit: '', better: one.better },
          value: one.values[night] ?? Number.NaN,
        }));
        await store.saveValues({ runId, task: name, at: startedAt, values });
      }
    }
  });
  store.close();
  return home;
}

/** Marks some changes as people would. */
async function reviewSome(home: string): Promise<void> {
  const { changes } = await listOf(home);
  for (const [place, state] of (['expected', 'false', 'fixed', 'confirmed'] as const).entries()) {
    const ids = changes.filter((_, at) => at % 7 === place).map(({ id }) => id);
    if (ids.length > 0) await runInProcess(['changes', 'triage', ...ids, '--state', state, '--home', home]);
  }
}

async function listOf(home: string) {
  const { stdout } = await runInProcess(['changes', home, '--json', '--state', 'all', '--limit', '100000']);
  return JSON.parse(stdout) as { changes: readonly FollowedChange[]; openRegressions: number };
}

/** What one surface says of each series: its verdict, and the size of the effect. */
type Answers = Map<string, string>;

const answer = (newest: StandingVerdict | undefined) =>
  newest === undefined
    ? 'not judged'
    : JSON.stringify([
        newest.verdict,
        newest.likely,
        newest.shift?.difference,
        newest.held,
        newest.isHeldBack,
      ]);

async function checkSurfaces(home: string, drawn: Drawn): Promise<void> {
  const { changes } = await listOf(home);
  const page = await answersOfServer(home);
  await sameAnswers('home and history', page.home, page.histories);
  await sameAnswers('the published site', await answersOfSite(home), page.histories);
  await checkReport(home, page.histories);
  checkRules(drawn, changes);
  await checkChangePages(home, changes, page.histories);
  await checkJudge(home, drawn, { changes, answers: page.histories });
}

async function sameAnswers(what: string, some: Answers, others: Answers): Promise<void> {
  for (const [series, one] of some) assert.equal(one, others.get(series), `${what}: ${series}`);
}

async function answersOfServer(home: string): Promise<{ home: Answers; histories: Answers }> {
  const index = watchIndex(home);
  const effects = { disk: localDisk, clock: { now: () => FIRST + 1e10 }, index, report: () => undefined };
  const app = createServer({ home, isLoopback: true }, effects);
  const get = async <T>(url: string) => {
    const { statusCode, body } = await app.inject({ url: `/api/${url}`, headers: { host: 'localhost' } });
    assert.equal(statusCode, 200, url);
    return JSON.parse(body) as T;
  };
  try {
    return await answersOf(get);
  } finally {
    await app.close();
    index.close();
  }
}

async function answersOfSite(home: string): Promise<Answers> {
  const out = mkdtempSync(join(tmpdir(), 'nightmark-one-judge-site-'));
  try {
    const done = await runInProcess(['publish', home, '--to', `dir:${out}`]);
    assert.equal(done.code, 0, done.stderr);
    const get = async <T>(address: string) =>
      readDocument(
        await follow(async (place) => readFileSync(join(out, place), 'utf8'), documentFile(address)),
      )?.content as T;
    const { home: values, histories } = await answersOf(get, true);
    return new Map([...values, ...histories]);
  } finally {
    rmSync(out, { recursive: true, force: true });
  }
}

/** From the documents of the page: the table of the first page, and the charts of each experiment. */
async function answersOf(
  get: <T>(address: string) => Promise<T>,
  isSite = false,
): Promise<{ home: Answers; histories: Answers }> {
  const { experiments, rows } = await get<HomeView>('home');
  const values: Answers = new Map();
  for (let done = 0, page = 0; done < rows.length; page++) {
    const { values: some } = await get<HomeValues>(`home/values/${page}`);
    for (const [place, { newest }] of some.entries()) {
      const row = rows[done + place];
      values.set(`${experiments[row?.experiment ?? -1]?.name}/${row?.path.join('/')}`, answer(newest));
    }
    done += some.length;
  }
  const histories: Answers = new Map();
  for (const { name } of experiments) {
    for (let first = 0, count = 1; first < count; ) {
      const query = first === 0 ? '' : `?first=${first}`;
      const history = await get<ExperimentHistory>(`experiments/${name}/history${query}`);
      // The columns of a published history lie in blocks of their own; its verdicts do not.
      for (const { path, newest } of history.series)
        histories.set(`${name}/${path.join('/')}`, answer(newest));
      count = isSite ? first + history.series.length : history.matching;
      first += Math.max(1, history.series.length);
    }
  }
  return { home: values, histories };
}

/** The report of the newest night has the same verdicts. */
async function checkReport(home: string, answers: Answers): Promise<void> {
  const { stdout } = await runInProcess(['report', home, '--format', 'markdown', '-o', '-']);
  for (const [series, text] of answers) {
    const row = stdout.split('\n').find((line) => line.startsWith(`| ${series} |`)) ?? assert.fail(series);
    const verdict = text === 'not judged' ? 'not judged' : JSON.parse(text)[0];
    assert.match(row, new RegExp(`\\b${verdict}\\b`), `${series}: ${row}`);
  }
}

/** No change that is reported for sure is within the smallest effect of its rules, and ignored series have none. */
function checkRules(drawn: Drawn, changes: readonly FollowedChange[]): void {
  const rules = new Map(drawn.experiments.map(({ name, regress }) => [name, regress]));
  for (const { series, shift, isLikely, withdrawnAt, state } of changes) {
    if (series.kind !== 'value' || withdrawnAt !== undefined || state !== 'new') continue;
    const own = rules.get(series.experiment) ?? '';
    const percent = Number(
      (/min-effect: (\d+)%/.exec(own) ?? /min-effect: (\d+)%/.exec(drawn.regress))?.[1] ?? 0,
    );
    const difference = Number(/min-difference: (\d+)/.exec(own)?.[1] ?? 0);
    const found = [
      ...(percent > 0 && shift.relative ? [beyond(shift.relative, percent / 100)] : []),
      ...(difference > 0 ? [beyondDifference(shift, difference)] : []),
    ];
    const isSure = found.every((one) => one === 'surely');
    const isProbable = found.every((one) => one !== 'no');
    const isAsked = own.includes('or-likely');
    assert.equal(
      isSure || (isAsked && isProbable),
      !isLikely,
      JSON.stringify([series, shift, isLikely, own, drawn.regress]),
    );
    assert.ok(!(own.includes('ignore') && /^(?:s3|s7)$/.test(series.path[0] ?? '')), 'an ignored series');
  }
}

function beyondDifference({ difference, low, high }: Shift, least: number): Beyond {
  if (low > least || high < -least) return 'surely';
  return (low > 0 || high < 0) && Math.abs(difference) > least ? 'likely' : 'no';
}

async function checkChangePages(
  home: string,
  changes: readonly FollowedChange[],
  answers: Answers,
): Promise<void> {
  const store = await openSqliteStore(homeLayout(home).index);
  try {
    for (const { id, series } of changes.slice(0, 20)) {
      if (series.kind !== 'value') continue;
      const clock = { now: () => 0 };
      const { series: shown } = await readChange({ home, id }, { disk: localDisk, clock, store });
      const name = [series.experiment, ...series.path].join('/');
      assert.equal(answer(shown?.newest), answers.get(name), name);
    }
  } finally {
    store.close();
  }
}

/** Every answer is that of the judge itself, but for what is held back among so many series. */
async function checkJudge(
  home: string,
  drawn: Drawn,
  { changes, answers }: { changes: readonly FollowedChange[]; answers: Answers },
): Promise<void> {
  const { home: definition } = await readHome(home, {}, { disk: localDisk, userHome: home, env: {} });
  const rules = judgingRules(definition);
  const isBudgeted = drawn.regress.includes('budget');
  const noises = await storedNoises(home, drawn);
  for (const { name, series } of drawn.experiments) {
    for (const { name: metric, values, better } of series) {
      const key = { kind: 'value', experiment: name, path: [metric, 'widgets'] } as const;
      const text = answers.get(`${name}/${metric}/widgets`) ?? '';
      if (rules.isIgnored(key)) {
        assert.equal(text, 'not judged');
        continue;
      }
      const [verdict, , , held, isHeldBack] = JSON.parse(text);
      const own = changes.filter((one) => one.series.kind === 'value' && sameSeries(one.series, key));
      const known = own.map((change) => ({ change, place: Number(change.runId.slice(1)) }));
      const noise = noises.get(`${name}/${metric}`);
      const history = { values: Float64Array.from(values), better, known, ...(noise && { noise }) };
      const judged = judgeSeries(history, rules.rulesFor(key));
      if (!isHeldBack && !isBudgeted) assert.equal(verdict, judged.newest.verdict, `${name}/${metric}`);
      // An alarm has a change that stands for it.
      const isAlarm = verdict === 'slower' || verdict === 'changed';
      const isStanding = ({ withdrawnAt }: FollowedChange) => withdrawnAt === undefined;
      if (isAlarm) assert.ok(own.some(isStanding), `${name}/${metric} is ${verdict} without a change`);
      if (held !== null && held !== undefined) assert.ok(own.some(({ id }) => id === held));
      // And what may be a change is shown as one, unless an older one keeps the reference where it was.
      const young = own.find((one) => one.isProvisional && isStanding(one) && !one.isLikely);
      const isHeld = own.some((one) => one !== young && isStanding(one) && one.direction !== 'better');
      if (young?.state === 'new' && !isHeld)
        assert.equal(verdict, WORDS[young.direction], `${name}/${metric}`);
    }
  }
}

/** Short series are judged by the noise of their experiment, which is stored with their judgement. */
async function storedNoises(home: string, drawn: Drawn): Promise<ReadonlyMap<string, NoisePrior>> {
  const store = await openSqliteStore(homeLayout(home).index);
  const noises = new Map<string, NoisePrior>();
  try {
    for (const { name, series } of drawn.experiments) {
      for (const { name: metric } of series) {
        const key = { kind: 'value', experiment: name, path: [metric, 'widgets'] } as const;
        const noise = (await readCurrent(store, key))?.noise;
        if (noise) noises.set(`${name}/${metric}`, noise);
      }
    }
  } finally {
    store.close();
  }
  return noises;
}

const WORDS = { worse: 'slower', better: 'faster', unknown: 'changed' } as const;

function sameSeries(
  one: { readonly experiment: string; readonly path: readonly string[] },
  other: { readonly experiment: string; readonly path: readonly string[] },
): boolean {
  return one.experiment === other.experiment && one.path.join('/') === other.path.join('/');
}
