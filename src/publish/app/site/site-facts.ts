import type { FollowedChange } from '../../../home/core/changes/change-ledger.ts';
import { homeLayout } from '../../../home/core/home-layout.ts';
import type { Run } from '../../../home/core/run.ts';
import type { Store } from '../../../home/core/store.ts';
import { isDetail } from '../../../judge/app/series/series-values.ts';
import { judgedVersion } from '../../../judge/app/series/stored-judgements.ts';
import type { Disk } from '../../../platform/core/disk.ts';
import { joinPath } from '../../../platform/core/path.ts';
import { textHash } from '../../../platform/core/text/change-hash.ts';

/** What documents depend on, read once and cheap to compare. */
export interface SiteFacts {
  readonly runs: readonly Run[];
  readonly experiments: readonly string[];
  /** How many values each experiment has. */
  readonly values: ReadonlyMap<string, number>;
  /** Changes with everything that documents of one experiment show. */
  ofExperiment(name: string): string;
  newestRunOf(name: string): string | undefined;
  /** Changes with everything that the index, the ledger of changes and the definition hold; absent: it is being written. */
  readonly ofIndex?: string;
  readonly ofDefinition: string;
}

/** What is known without reading the index. */
export type OuterFacts = Pick<SiteFacts, 'ofIndex' | 'ofDefinition'>;

export interface FactsEffects {
  readonly store: Store;
  readonly disk: Disk;
  /** Changes with everything that is written to the index; undefined while more may come unseen. */
  indexVersion(): string | undefined;
}

const RUNS = 1_000;
const MOST_IMPORTS = 10_000;
const MOST_EXPERIMENTS = 10_000;
const MOST_SERIES = 100_000;

export async function readOuterFacts(home: string, effects: FactsEffects): Promise<OuterFacts> {
  const version = effects.indexVersion();
  const ledger = await stampOf([homeLayout(home).changes], effects.disk);
  const ofDefinition = await stampOf(
    DEFINITIONS.map((file) => joinPath(home, file)),
    effects.disk,
  );
  return {
    ...(version !== undefined && { ofIndex: [version, ledger, ofDefinition].join(' ') }),
    ofDefinition,
  };
}

export async function readSiteFacts(outer: OuterFacts, store: Store): Promise<SiteFacts> {
  const runs = await store.latestRuns({ limit: RUNS, isBrief: true });
  const { trials, newestRun } = await readTrials(runs.slice(0, RECENT), store);
  const stored = await store.series({ limit: MOST_SERIES });
  const named = new Set([...trials.keys(), ...stored.map(({ experiment }) => experiment)]);
  const values = new Map<string, number>();
  for (const one of stored) {
    if (!isDetail(one)) values.set(one.experiment, (values.get(one.experiment) ?? 0) + 1);
  }
  // Imports may be of any time: each may change the history of any experiment.
  const imports = await store.latestRuns({ limit: MOST_IMPORTS, kind: 'import', isBrief: true });
  const imported = textHash(imports.map(({ id }) => id).join(' '));
  const findings = await readFindings(store);
  const judged = await judgedVersion(store);
  return {
    ...outer,
    runs,
    experiments: [...named].sort().slice(0, MOST_EXPERIMENTS),
    values,
    ofExperiment: (name) =>
      [
        ...[judged, imported, trials.get(name)?.hash ?? ''],
        ...[values.get(name) ?? 0, findings.get(name)?.hash ?? ''],
      ].join(' '),
    newestRunOf: (name) => newestRun.get(name),
  };
}

const DEFINITIONS = ['nightmark.yml', 'config.json', 'config/config.json'];

async function stampOf(paths: readonly string[], disk: Disk): Promise<string> {
  const facts = await Promise.all(paths.map((path) => disk.stat(path)));
  return facts.map((one) => (one ? `${one.size} ${one.modifiedAt} ${one.changedAt}` : '')).join(' ');
}

interface Digest {
  hash: string;
}

/** The outcome of each experiment in these runs: one hash for each, as nothing else is needed of a million trials. */
async function readTrials(runs: readonly Run[], store: Store) {
  const trials = new Map<string, Digest>();
  const newestRun = new Map<string, string>();
  for (const run of runs) {
    const ofRun = textHash(JSON.stringify(run));
    for (const trial of await store.trialsOf([run.id])) {
      if (trial.kind !== 'experiment') continue;
      if (!newestRun.has(trial.task)) newestRun.set(trial.task, run.id);
      addTo(trials, trial.task, `${ofRun} ${JSON.stringify(trial)}`);
    }
  }
  return { trials, newestRun };
}

/** Changes and absences, by the experiment that they are of. */
async function readFindings(store: Store): Promise<ReadonlyMap<string, Digest>> {
  const findings = new Map<string, Digest>();
  const all: readonly Pick<FollowedChange, 'series'>[] = await store.changes({ limit: MOST_SERIES });
  for (const one of [...all, ...(await store.absences())]) {
    const { series } = one as { readonly series: { readonly experiment?: string } };
    if (series.experiment !== undefined) addTo(findings, series.experiment, JSON.stringify(one));
  }
  return findings;
}

function addTo(digests: Map<string, Digest>, name: string, text: string): void {
  const known = digests.get(name);
  if (known) known.hash = textHash(known.hash + text);
  else digests.set(name, { hash: textHash(text) });
}

/** Of these runs everything is published. */
export const RECENT = 60;
