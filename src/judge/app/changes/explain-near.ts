import { parseJournal } from '../../../home/core/journal.ts';
import { homeLayout, runFiles } from '../../../home/core/layout.ts';
import type { BriefRun, Run } from '../../../home/core/run.ts';
import { NightmarkError } from '../../../platform/core/errors.ts';
import { joinPath, whyNotAName } from '../../../platform/core/path.ts';
import { parseExactJson } from '../../../platform/core/text/exact-json.ts';
import { isJsonObject, type JsonValue } from '../../../platform/core/text/json.ts';
import type { Fact } from '../../core/explain/explanation.ts';
import { machineFacts, telemetryFacts, textFacts } from '../../core/explain/flat-facts.ts';
import type { ExplainEffects } from './explain-effects.ts';

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
export async function closeFacts(
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
  if (whyNotAName(run.id) !== undefined) return [];
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
  if ([experiment, label].some((name) => whyNotAName(name) !== undefined)) return [];
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
