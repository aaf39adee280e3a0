import type { Payload } from '../../../formats/core/kpi/kpi.ts';
import type { CommitLog } from '../../../git/core/commit-log.ts';
import type { MeasuredSeries } from '../../../home/core/changes/change.ts';
import { homeLayout, runFiles } from '../../../home/core/home-layout.ts';
import { parseJournal } from '../../../home/core/journal.ts';
import type { BriefRun, Run } from '../../../home/core/run.ts';
import type { Store } from '../../../home/core/store.ts';
import type { CancelSignal } from '../../../platform/core/cancel-signal.ts';
import type { Disk } from '../../../platform/core/disk.ts';
import { NightmarkError } from '../../../platform/core/errors.ts';
import { joinPath, whyInvalidName } from '../../../platform/core/path.ts';
import { parseExactJson } from '../../../platform/core/text/exact-json.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../../platform/core/text/json.ts';
import type { ExplainedSeries } from '../../core/explain/explained-series.ts';
import type { Fact, FactGroup } from '../../core/explain/explanation.ts';
import {
  decidingMachineFacts,
  machineFacts,
  settingFacts,
  telemetryFacts,
  textFacts,
} from '../../core/explain/flat-facts.ts';

export interface FactRequest {
  readonly home: string;
  /** Of each point of the series. */
  readonly runIds: readonly string[];
  /** Index of the change. */
  readonly at: number;
}

export interface GatheredFacts {
  /** Of each point of the series. */
  readonly facts: readonly (readonly Fact[])[];
  readonly notes: readonly string[];
}

/** Facts of runs: commits, machine and warnings of all; settings of the machine, versions and telemetry of near ones. */
export async function runFacts(
  request: FactRequest & { readonly experiment: string },
  effects: ExplainEffects,
): Promise<GatheredFacts> {
  const { runIds, at, experiment } = request;
  const commits = await commitsByRun(runIds, experiment, effects);
  const machines = new Map<string, readonly Fact[]>();
  const runs = new Map<string, Run | undefined>();
  const facts: (readonly Fact[])[] = [];
  let missing = 0;
  for (const [index, id] of runIds.entries()) {
    if (!runs.has(id)) runs.set(id, await effects.store.run(id));
    const run = runs.get(id);
    if (!run) missing++;
    const machine = run?.machineId === undefined ? [] : await decidingOf(run.machineId, machines, effects);
    const distance = index < at ? at - index : index - at + 1;
    const close = run ? await closeFacts(run, { ...request, distance }, effects) : [];
    // Later ones win: the journal knows the machine as it was in that run.
    const own = run ? [originOf(run)] : [];
    facts.push([...machine, ...(commits.get(id) ?? []), ...own, ...close]);
  }
  const notes = missing === 0 ? [] : [`${missing} of ${runIds.length} runs are not in the index any more.`];
  const known = runIds.map((id) => runs.get(id));
  return { facts: withWarnings(facts, known), notes };
}

async function commitsByRun(
  runIds: readonly string[],
  experiment: string,
  { store }: ExplainEffects,
): Promise<ReadonlyMap<string, readonly Fact[]>> {
  const trials = await store.trialsOf([...new Set(runIds)]);
  const ours = trials.filter(({ task, kind }) => task === experiment && kind === 'experiment');
  return new Map(
    ours.map(({ runId, commits }) => [
      runId,
      Object.entries(commits).map(([name, value]): Fact => ({ group: 'source', name, value: String(value) })),
    ]),
  );
}

async function decidingOf(
  id: string,
  known: Map<string, readonly Fact[]>,
  { store }: ExplainEffects,
): Promise<readonly Fact[]> {
  const facts = known.get(id) ?? decidingMachineFacts((await store.machine(id))?.facts ?? {});
  known.set(id, facts);
  // A machine without facts still differs from another by its id.
  return facts.length > 0 ? facts : [{ group: 'machine', name: 'machine id', value: id }];
}

function originOf({ origin }: Run): Fact {
  return { group: 'environment', name: 'origin', value: origin };
}

/** A warning is a fact of every run: it was given, or it was not. Numbers in it differ without meaning. */
function withWarnings(
  facts: readonly (readonly Fact[])[],
  runs: readonly (Run | undefined)[],
): readonly (readonly Fact[])[] {
  const shape = (warning: string) => warning.replace(/\d+([.,]\d+)*/g, '#').slice(0, 200);
  const given = runs.map((run) => new Set(run?.warnings.map(shape)));
  const all = [...new Set(given.flatMap((warnings) => [...warnings]))].slice(0, MAX_WARNINGS);
  return facts.map((known, index) => [
    ...known,
    ...(runs[index] === undefined
      ? []
      : all.map((name): Fact => ({ group: 'warning', name, value: given[index]?.has(name) ?? false }))),
  ]);
}

const MAX_WARNINGS = 50;

/** Documents that are searched for the tests of a series; each test has one. */
const MAX_PAYLOADS = 10_000;

/** Facts of tests of a matrix: settings and further metadata of their payloads. */
export async function payloadFacts(
  { runIds }: FactRequest,
  { store }: ExplainEffects,
): Promise<GatheredFacts> {
  const wanted = new Set(runIds);
  const found = new Map<string, readonly Fact[]>();
  for (const payload of await store.payloads({ limit: MAX_PAYLOADS })) {
    const id = payload.metadata.test_uuid;
    if (wanted.has(id)) found.set(id, documentFacts(payload));
  }
  const missing = wanted.size - found.size;
  return {
    facts: runIds.map((id) => found.get(id) ?? []),
    notes: missing === 0 ? [] : [`${missing} of ${wanted.size} tests have no document any more.`],
  };
}

/** Settings and further metadata of one test. */
export function documentFacts({ metadata }: Payload): readonly Fact[] {
  const { settings, start: _, end: _end, test_uuid: _id, ...more } = metadata;
  const rest = Object.fromEntries(
    Object.entries(more).filter((field): field is [string, JsonValue] => field[1] !== undefined),
  );
  // Documents of old stores were never checked.
  const own = isJsonObject(settings) ? settings : {};
  return [...grouped(own, 'setting'), ...grouped(rest, 'environment')];
}

function grouped(object: JsonObject, group: FactGroup): readonly Fact[] {
  return settingFacts(object, group).map((fact) =>
    /version|image|digest|build|commit|sha\b/i.test(fact.name) ? { ...fact, group: 'version' } : fact,
  );
}

interface CloseRequest {
  readonly home: string;
  readonly experiment: string;
  /** Points between the run and the change, from 1. */
  readonly distance: number;
}

/** Runs on each side of the change whose files are read, and whose telemetry is: they cost more than rows do. */
const NEAR_FILES = 60;
const NEAR_TELEMETRY = 20;

/** What costs a file or many readings for each run; nothing where the run is too far from the change. */
async function closeFacts(
  run: Run,
  { home, experiment, distance }: CloseRequest,
  effects: ExplainEffects,
): Promise<readonly Fact[]> {
  if (distance > NEAR_FILES) return [];
  const columns = distance > NEAR_TELEMETRY ? [] : await effects.store.pointsOf(run.id);
  return [
    ...(await journalFacts(run, home, effects)),
    ...(await stageFacts(run, experiment, effects)),
    ...(await dataFacts(run, { home, experiment }, effects)),
    ...telemetryFacts(columns, experiment),
  ];
}

/** The index keeps one description of a machine, the newest; the journal has the one of its run. */
export async function journalFacts(
  run: BriefRun,
  home: string,
  { disk }: Pick<ExplainEffects, 'disk'>,
): Promise<readonly Fact[]> {
  if (whyInvalidName(run.id) !== undefined) return [];
  const path = runFiles(home, run.id).journal;
  const ends = await forgiving(disk.readEnds(path, { headBytes: MAX_LINE, tailBytes: 0, within: home }));
  const [first = ''] = (ends?.head ?? '').split('\n', 1);
  const event = parseJournal(first)[0] as JsonValue | undefined;
  const machine = isJsonObject(event) ? event['machine'] : undefined;
  const facts = isJsonObject(machine) ? machine['facts'] : undefined;
  return isJsonObject(facts) ? machineFacts(facts) : [];
}

/** Further fields that scripts left in their status.json. */
async function stageFacts(run: Run, experiment: string, { store }: ExplainEffects): Promise<readonly Fact[]> {
  const stages = await store.stagesOf(run.id);
  return stages
    .filter(({ task, kind }) => task === experiment && kind === 'experiment')
    .flatMap(({ extra }) => textFacts(extra, 'version').filter(isOfInterest));
}

/** Texts of the data file of an experiment: versions, flags. */
export async function dataFacts(
  { label }: Pick<Run, 'label'>,
  { home, experiment }: Pick<CloseRequest, 'home' | 'experiment'>,
  { disk }: Pick<ExplainEffects, 'disk'>,
): Promise<readonly Fact[]> {
  if ([experiment, label].some((name) => whyInvalidName(name) !== undefined)) return [];
  const path = joinPath(homeLayout(home).data(experiment), `data_${label}.json`);
  const text = await forgiving(disk.readText(path, { maxBytes: MAX_DATA_BYTES, within: home }));
  if (text === undefined) return [];
  try {
    const data = parseExactJson(text);
    return data instanceof Map ? textFacts(data, 'version').filter(isOfInterest) : [];
  } catch (error) {
    if (error instanceof SyntaxError) return [];
    throw error;
  }
}

const MAX_LINE = 64 * 1024;
const MAX_DATA_BYTES = 1024 * 1024;

/** Times of the run and commits, which are known from elsewhere. */
export function isOfInterest({ name }: Fact): boolean {
  return !/^(timestamp|start_time|end_time|time_delta|tvm_hash|sources(\..*)?|example|success|message)$/.test(
    name,
  );
}

/** A file that is too large, locked or elsewhere is one fact less, not the end of the explanation. */
async function forgiving<T>(reading: Promise<T | undefined>): Promise<T | undefined> {
  try {
    return await reading;
  } catch (error) {
    if (error instanceof NightmarkError) return undefined;
    throw error;
  }
}

/** A change of a series of a home, with the series as it was judged. */
export interface ExplainInput extends ExplainedSeries {
  readonly home: string;
  readonly series: MeasuredSeries;
  /** Run of each value, or test for a KPI. */
  readonly runIds: readonly string[];
}

export interface ExplainEffects {
  readonly store: Pick<
    Store,
    | 'run'
    | 'trialsOf'
    | 'machine'
    | 'stagesOf'
    | 'pointsOf'
    | 'payloads'
    | 'series'
    | 'history'
    | 'judgement'
    | 'kpiSeries'
    | 'kpiHistory'
  >;
  readonly disk: Pick<Disk, 'readText' | 'readEnds'>;
  /** Absent: hashes only. */
  readonly commits?: CommitLog;
  readonly signal: CancelSignal;
}
