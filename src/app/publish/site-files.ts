import { homeLayout } from '../../core/model/layout.ts';
import type { Run, Trial } from '../../core/model/run.ts';
import { baseName, joinPath } from '../../core/path.ts';
import type { Disk } from '../../core/ports/disk.ts';
import type { Store } from '../../core/ports/store.ts';
import { documentText } from '../../core/site/document.ts';
import { siteFileName } from '../../core/site/file-name.ts';
import type { SiteFile, SiteFiles } from '../../core/site/site-file.ts';
import { readExperiment } from '../read-experiment.ts';
import { readHistory } from '../read-history.ts';
import { readOverview } from '../read-overview.ts';
import { readRun } from '../read-run.ts';
import { artifactFiles, type Budget } from './artifact-files.ts';
import type { ByteTools } from './load-file.ts';
import { pageFiles } from './page-files.ts';

export interface SiteRequest {
  readonly home: string;
  /** Bytes of artifacts: the oldest nights are left out first. Counted down. */
  readonly budget: Budget;
  /** Documents of another version are made anew. */
  readonly version: string;
}

export interface SiteEffects extends ByteTools {
  readonly store: Store;
  readonly disk: Disk;
}

/** A function that makes the files of a site, in an order that does not change. */
export type SiteSource = (request: SiteRequest, effects: SiteEffects) => SiteFiles;

const RUNS = 1_000;
const RECENT = 60;
const MOST_IMPORTS = 10_000;
const MOST_EXPERIMENTS = 10_000;
const MOST_SERIES = 100_000;

/** Everything a home shows: pages, documents, artifacts. */
export const siteFiles: SiteSource = async function* (request, effects) {
  const { home, budget } = request;
  const facts = await readFacts(effects);
  yield* pageFiles(effects);
  yield await overviewFile(request, effects);
  // The files of a folder come together: histories lie in folders of their own.
  const histories: SiteFile[] = [];
  for (const name of facts.experiments) {
    const { standing, history } = await experimentFiles(name, facts, request, effects);
    yield standing;
    histories.push(history);
  }
  yield* histories;
  for (const run of facts.runs) yield runFile(run, request, effects);
  yield* artifactFiles({ home, experiments: facts.experiments, nights: RECENT }, effects.disk, budget);
};

interface Facts {
  readonly runs: readonly Run[];
  readonly experiments: readonly string[];
  /** The newest trials of each experiment, with what is known of their runs. */
  readonly recent: ReadonlyMap<string, readonly (readonly [Run, Trial])[]>;
  /** Imports may be of any time: each may change the history of any experiment. */
  readonly imports: string;
}

async function readFacts({ store }: SiteEffects): Promise<Facts> {
  const runs = await store.latestRuns({ limit: RUNS });
  const newest = new Map(runs.slice(0, RECENT).map((run) => [run.id, run]));
  const recent = new Map<string, (readonly [Run, Trial])[]>();
  for (const trial of await store.trialsOf([...newest.keys()])) {
    const run = newest.get(trial.runId);
    if (!run || trial.kind !== 'experiment') continue;
    const known = recent.get(trial.task);
    if (known) known.push([run, trial]);
    else recent.set(trial.task, [[run, trial]]);
  }
  const stored = await store.series({ limit: MOST_SERIES });
  const named = new Set([...recent.keys(), ...stored.map(({ experiment }) => experiment)]);
  const experiments = [...named].sort().slice(0, MOST_EXPERIMENTS);
  const imports = (await store.latestRuns({ limit: MOST_IMPORTS, kind: 'import' })).map(({ id }) => id);
  return { runs, experiments, recent, imports: imports.join(' ') };
}

async function overviewFile({ home }: SiteRequest, effects: SiteEffects): Promise<SiteFile> {
  return document('data/overview.js', effects, async () => {
    const overview = await readOverview({ home, experimentLimit: MOST_EXPERIMENTS }, effects);
    // Where the home lies is nobody's business.
    return { ...overview, home: baseName(home) };
  });
}

/** How it stands, and the histories of its values. */
async function experimentFiles(
  name: string,
  { recent, imports }: Facts,
  { home, version }: SiteRequest,
  effects: SiteEffects,
): Promise<{ readonly standing: SiteFile; readonly history: SiteFile }> {
  const { store, disk } = effects;
  const layout = homeLayout(home);
  const folders = [layout.graph(name), joinPath(layout.summary(name), 'summary.json')];
  const touched = (await Promise.all(folders.map((path) => disk.stat(path)))).map(
    (facts) => facts?.changedAt,
  );
  const changes = await store.changes({ experiment: name, limit: MOST_SERIES });
  const known = [version, imports, recent.get(name), touched, changes];
  const stamp = stampOf(known, effects);
  const path = `data/experiments/${siteFileName(name)}`;
  const standing = document(`${path}.js`, effects, () => readExperiment({ home, name }, effects));
  const history = document(`${path}/history.js`, effects, () => readHistory({ name }, store));
  return { standing: { ...standing, stamp }, history: { ...history, stamp } };
}

function runFile(run: Run, { version }: SiteRequest, effects: SiteEffects): SiteFile {
  const file = document(`data/runs/${siteFileName(run.id)}.js`, effects, () =>
    readRun(run.id, effects.store),
  );
  return run.state === 'running' ? file : { ...file, stamp: stampOf([version, run], effects) };
}

/** Made when it is asked for. */
function document(path: string, { encode }: ByteTools, make: () => Promise<unknown>): SiteFile {
  return {
    path,
    isNamed: false,
    async *bytes() {
      yield encode(documentText(path, (await make()) ?? null));
    },
  };
}

function stampOf(known: unknown, { newHash, encode }: ByteTools): string {
  const hash = newHash();
  hash.update(encode(JSON.stringify(known)));
  return hash.digest().slice(0, 32);
}
