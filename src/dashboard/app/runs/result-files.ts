import { homeLayout, rawArchiveName, runFiles } from '../../../home/core/home-layout.ts';
import { type Run, STAGE_ORDER, type Trial } from '../../../home/core/run.ts';
import type { Store } from '../../../home/core/store.ts';
import type { Disk } from '../../../platform/core/disk.ts';
import { dirName, joinPath, whyInvalidName } from '../../../platform/core/path.ts';

/** A file that a run left, with what is needed to find it. */
export interface RunFile {
  readonly type: 'data' | 'graph' | 'samples' | 'telemetry' | 'log';
  readonly kind: Trial['kind'];
  readonly task: string;
  /** Relative to its folder; of a log its stage. */
  readonly name: string;
  readonly size: number;
}

export interface RunFiles {
  readonly files: readonly RunFile[];
  /** Tasks whose files were not listed because there are too many. */
  readonly leftOut: number;
  /** Name of the archive with everything that the scripts of a night left; it lies in the "tmp" folder of the home. */
  readonly rawArchive?: string;
}

const MOST_FILES = 5_000;
/** Pictures may be written until shortly after the recorded end. */
const GRACE_MS = 60_000;

/** Undefined when there is no run of that id. */
export async function listRunFiles(
  { home, id }: { readonly home: string; readonly id: string },
  { store, disk }: { readonly store: Store; readonly disk: Disk },
): Promise<RunFiles | undefined> {
  const run = whyInvalidName(id) === undefined ? await store.run(id) : undefined;
  if (!run) return undefined;
  const trials = (await store.trialsOf([id])).filter(
    ({ task, state }) => whyInvalidName(task) === undefined && state !== 'inactive' && state !== 'waiting',
  );
  const files: RunFile[] = [];
  let searched = 0;
  for (; searched < trials.length && files.length < MOST_FILES; searched++) {
    const trial = trials[searched] as Trial; // an index of the list
    for (const find of FINDERS) files.push(...(await find({ home, run, trial }, disk)));
  }
  const isNight = run.kind === 'night' && run.origin === 'measured' && run.state === 'finished';
  return {
    files,
    leftOut: trials.length - searched,
    ...(isNight && { rawArchive: rawArchiveName(run.label) }),
  };
}

interface Search {
  readonly home: string;
  readonly run: Run;
  readonly trial: Trial;
}

type Finder = (search: Search, disk: Disk) => Promise<readonly RunFile[]>;

const findData: Finder = ({ home, run, trial }, disk) => {
  const name = `data_${run.label}.json`;
  return fileIfPresent(
    { trial, type: 'data', name },
    joinPath(homeLayout(home).data(trial.task), name),
    disk,
  );
};

const findSamples: Finder = ({ home, run, trial }, disk) =>
  fileIfPresent(
    { trial, type: 'samples', name: `${trial.task}.json` },
    runFiles(home, run.id).samples(trial.task),
    disk,
  );

const findTelemetry: Finder = async ({ home, run, trial }, disk) => {
  const root = homeLayout(home).telemetry(trial.task);
  const found: RunFile[] = [];
  for (const kind of ['cpu', 'gpu']) {
    const name = `${kind}/${kind}-${run.label}.json`;
    found.push(...(await fileIfPresent({ trial, type: 'telemetry', name }, joinPath(root, name), disk)));
  }
  return found;
};

/** Every night overwrites the pictures of the night before: their modification time says to which they belong. */
const findGraphs: Finder = async ({ home, run, trial }, disk) => {
  if (trial.kind !== 'experiment') return [];
  const { startedAt, endedAt = Infinity } = run;
  const found: RunFile[] = [];
  for (const name of (await listGraphs(home, trial.task, disk)).files) {
    const facts = await disk.stat(joinPath(homeLayout(home).graph(trial.task), name));
    const isOurs = facts && facts.modifiedAt >= startedAt - 1000 && facts.modifiedAt <= endedAt + GRACE_MS;
    if (isOurs) found.push({ ...taskOf(trial), type: 'graph', name, size: facts.size });
  }
  return found;
};

const findLogs: Finder = async ({ home, run, trial }, disk) => {
  const folder = dirName(runFiles(home, run.id).log(trial.kind, trial.task, 'run'));
  const names = new Set((await disk.list(folder)).map(({ name }) => name));
  const found: RunFile[] = [];
  for (const name of STAGE_ORDER) {
    if (!names.has(`${name}.log`)) continue;
    found.push(...(await fileIfPresent({ trial, type: 'log', name }, joinPath(folder, `${name}.log`), disk)));
  }
  return found;
};

const FINDERS: readonly Finder[] = [findData, findGraphs, findSamples, findTelemetry, findLogs];

async function fileIfPresent(
  { trial, type, name }: { readonly trial: Trial; readonly type: RunFile['type']; readonly name: string },
  path: string,
  disk: Disk,
): Promise<readonly RunFile[]> {
  const facts = await disk.stat(path);
  return facts?.type === 'file' ? [{ ...taskOf(trial), type, name, size: facts.size }] : [];
}

function taskOf({ kind, task }: Trial): Pick<RunFile, 'kind' | 'task'> {
  return { kind, task };
}

/** Pictures that an experiment drew in its last night, as paths relative to its graph folder. */
export interface GraphList {
  readonly files: readonly string[];
  /** True when there are more than are listed. */
  readonly isCut: boolean;
}

const PICTURE = /\.(?:png|jpe?g|gif|webp|svg)$/i;
const MAX_FILES = 200;
const MAX_DEPTH = 5;

export async function listGraphs(home: string, experiment: string, disk: Disk): Promise<GraphList> {
  const root = homeLayout(home).graph(experiment);
  const files: string[] = [];
  const folders: { path: string; depth: number }[] = [{ path: '', depth: 0 }];
  for (let folder = folders.shift(); folder; folder = folders.shift()) {
    for (const { name, type } of await disk.list(joinPath(root, folder.path))) {
      const path = joinPath(folder.path, name);
      // Links are not followed: one that leaves the folder would not be served anyway.
      if (type === 'folder' && folder.depth < MAX_DEPTH) folders.push({ path, depth: folder.depth + 1 });
      if (type !== 'file' || !PICTURE.test(name)) continue;
      if (files.length === MAX_FILES) return { files, isCut: true };
      files.push(path);
    }
  }
  return { files, isCut: false };
}
