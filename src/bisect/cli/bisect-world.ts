import type { Argv } from '../../duet/app/compare-request.ts';
import { chooseShell, toArgv } from '../../duet/cli/compare-requests.ts';
import type { Executor } from '../../executors/core/executor.ts';
import type { Format } from '../../formats/core/format.ts';
import { gitSources } from '../../git/adapters/git.ts';
import type { CommitHistory, CommitRange, CommitWorkspace } from '../../git/core/commit-history.ts';
import type { Checkout, Source, SourceControl } from '../../git/core/source-control.ts';
import type { Version } from '../../git/core/version-pairs.ts';
import { readHome } from '../../home/config/read-home.ts';
import type { Home, Task } from '../../home/core/home.ts';
import { homeLayout } from '../../home/core/home-layout.ts';
import { loadAdapter, loadAll } from '../../platform/cli/adapters.ts';
import type { CliContext } from '../../platform/cli/command.ts';
import { NightmarkError } from '../../platform/core/errors.ts';
import { baseName, joinPath } from '../../platform/core/path.ts';
import { nearestFirst } from '../../platform/core/text/nearest.ts';
import { experimentSide } from '../app/experiment-side.ts';
import type { BisectEffects } from '../app/searcher.ts';
import type { BisectPlan, BisectWork } from '../core/bisect-plan.ts';

export type GitControl = SourceControl & CommitHistory;

/** The repository of a search, and how its commits are made ready. */
export interface BisectWorld {
  readonly range: CommitRange;
  readonly sideAt: BisectEffects['sideAt'];
  readonly hasBuild: BisectEffects['hasBuild'];
  close(): Promise<void>;
}

export async function loadGit(): Promise<{ readonly control: GitControl; readonly executor: Executor }> {
  const executor = await loadAdapter<Executor>('executors', 'process');
  return { control: gitSources(executor), executor };
}

export async function stateFolder(
  work: BisectWork,
  control: GitControl,
  context: CliContext,
): Promise<string> {
  if (work.type === 'experiment') return joinPath(homeLayout(work.home).own, 'bisect');
  return joinPath(await control.findGitDir(work.dir, context.env, context.signal), 'nightmark/bisect');
}

/** The range of the plan; names are found as they are written, hashes are fastest. */
export async function openRange(
  plan: Pick<BisectPlan, 'good' | 'bad' | 'parents' | 'likelyPaths' | 'work'>,
  control: GitControl,
  context: CliContext,
): Promise<{ readonly range: CommitRange; readonly dir: string; readonly found?: FoundExperiment }> {
  const { env, signal } = context;
  const { parents, likelyPaths, work } = plan;
  if (work.type === 'command') {
    const request = { dir: work.dir, good: plan.good, bad: plan.bad, parents, likelyPaths, env };
    return { range: await control.listRange(request, signal), dir: work.dir };
  }
  const found = await readExperiment(work, context);
  const good = await prepareRef(found, plan.good, { control, context });
  const { commit: bad, dir } = await prepareRef(found, plan.bad, { control, context });
  const request = { dir, good: good.commit, bad, parents, likelyPaths, env };
  const range = await control.listRange(request, signal);
  return { range: { ...range, remote: found.source.git }, dir, found };
}

export async function openWorld(
  plan: BisectPlan,
  id: string,
  { control, executor, context }: { control: GitControl; executor: Executor; context: CliContext },
): Promise<BisectWorld> {
  const { work } = plan;
  const { range, dir, found } = await openRange(plan, control, context);
  const build = work.type === 'command' ? work.build : found?.build;
  const workspace = await control.openWorkspace(
    {
      ...{ dir, name: id, env: context.env, cacheDir: cacheDirOf(work, context) },
      ...(build && { build: { ...build, again: false } }),
    },
    context.signal,
  );
  const sideAt =
    found === undefined || work.type === 'command'
      ? commandSides(work, range, { workspace, context })
      : await experimentSides(found, { plan, id, workspace, control, executor, context });
  const hasBuild: BisectEffects['hasBuild'] = (version, build) => workspace.has(version, build);
  return { range, sideAt, hasBuild, close: () => workspace.close() };
}

function cacheDirOf(work: BisectWork, { env, userHome }: CliContext): string {
  if (work.type === 'experiment') return joinPath(homeLayout(work.home).own, 'cache/bisect');
  const cacheHome = env['XDG_CACHE_HOME'] ?? '';
  // The XDG specification says to ignore relative paths.
  return joinPath(cacheHome.startsWith('/') ? cacheHome : joinPath(userHome, '.cache'), 'nightmark/bisect');
}

function commandSides(
  work: BisectWork,
  range: CommitRange,
  { workspace, context: { env } }: { readonly workspace: CommitWorkspace; readonly context: CliContext },
): BisectEffects['sideAt'] {
  const command = work.type === 'command' ? work.command : '';
  const folder = work.type === 'command' && work.runIn === 'dir' ? range.prefix : '';
  const argv: Argv = toArgv(command, chooseShell(undefined, [command], env['PATH']));
  return async (version: Version, build: number) => {
    const cwd = joinPath(await workspace.prepare(version, build), folder);
    return { name: version.shortCommit, command, argv, cwd, env: { ...env, PWD: cwd } };
  };
}

async function experimentSides(
  found: FoundExperiment,
  world: {
    readonly plan: BisectPlan;
    readonly id: string;
    readonly workspace: CommitWorkspace;
    readonly control: GitControl;
    readonly executor: Executor;
    readonly context: CliContext;
  },
): Promise<BisectEffects['sideAt']> {
  const { plan, id, workspace, control, executor, context } = world;
  const { disk, signal, env, packageDir } = context;
  const others = await found.prepareOthers({ control, context });
  const isOnlyTimed = plan.work.type === 'experiment' && plan.work.metric.type === 'wall';
  const formats = isOnlyTimed ? [] : await loadAll<Format>('formats');
  return async (version, build) => {
    const dir = await workspace.prepare(version, build);
    const { commit, shortCommit } = version;
    return experimentSide(
      {
        ...{ home: found.home, task: found.task, id, seed: plan.seed },
        checkouts: { ...others, [found.source.name]: { dir, commit, shortCommit } },
        scratch: joinPath(workspace.dir, `stages-${baseName(dir)}`),
        isOnlyTimed,
      },
      version,
      {
        ...{ disk, executor, formats, signal, kitDir: `${packageDir}/kit` },
        env: { ...env, NIGHTMARK_RUN_ID: id },
      },
    );
  };
}

interface Means {
  readonly control: SourceControl;
  readonly context: CliContext;
}

/** An experiment of a home, and that source of it that is searched. */
export interface FoundExperiment {
  readonly home: Home;
  readonly task: Task;
  readonly source: Source;
  readonly build?: { readonly command: string; readonly in: 'root' };
  /** The other sources stay as the definition says. */
  prepareOthers(means: Means): Promise<Readonly<Record<string, Checkout>>>;
}

async function readExperiment(
  { home: dir, experiment, source: wanted }: Extract<BisectWork, { type: 'experiment' }>,
  context: CliContext,
): Promise<FoundExperiment> {
  const { disk, userHome, env } = context;
  const { home } = await readHome(dir, {}, { disk, userHome, env });
  const tasks = home.tasks.filter(({ kind }) => kind === 'experiment');
  const task = tasks.find(({ name }) => name === experiment);
  if (!task) throw noExperiment(dir, experiment, tasks);
  const source = chooseSource(task, wanted);
  return {
    home,
    task,
    source,
    ...(source.build !== undefined && { build: { command: source.build, in: 'root' } }),
    async prepareOthers({ control }) {
      const found: Record<string, Checkout> = {};
      for (const other of task.sources) {
        if (other.name !== source.name) found[other.name] = await prepare(other, home, { control, context });
      }
      return found;
    },
  };
}

/** A checkout of a revision, not built: its history is what is wanted. */
function prepareRef({ home, source }: FoundExperiment, ref: string, means: Means): Promise<Checkout> {
  const { build: _, ref: usual, ...rest } = source;
  const wanted = ref === '' ? usual : ref;
  return prepare({ ...rest, ...(wanted !== undefined && { ref: wanted }) }, home, means);
}

function prepare(source: Source, home: Home, { control, context }: Means): Promise<Checkout> {
  const { own, sourceCache } = homeLayout(home.dir);
  const logFile = joinPath(own, 'bisect', `source-${source.name}.log`);
  return control.prepare(
    { source, cacheDir: sourceCache, logFile, fetch: true, env: context.env },
    context.signal,
  );
}

function chooseSource({ name, sources }: Task, wanted: string): Source {
  const [first, ...others] = sources;
  const found =
    wanted === '' && others.length === 0 ? first : sources.find((source) => source.name === wanted);
  if (found) return found;
  const names = sources.map((source) => source.name).join(', ');
  throw new NightmarkError(
    'BISECT_NO_SOURCE',
    first === undefined
      ? `The experiment ${name} has no source whose commits could be searched.`
      : wanted === ''
        ? `The experiment ${name} has several sources.`
        : `The experiment ${name} has no source ${JSON.stringify(wanted)}.`,
    {
      hint:
        first === undefined
          ? 'Name the repository in its definition ("sources"), or search in the repository itself: nightmark bisect --good v1 -- command'
          : `Say which with --source: ${names}.`,
    },
  );
}

function noExperiment(dir: string, experiment: string, tasks: readonly Task[]): NightmarkError {
  const names = nearestFirst(
    experiment,
    tasks.map(({ name }) => name),
  ).slice(0, 5);
  return new NightmarkError(
    'BISECT_NO_EXPERIMENT',
    `The home ${dir} has no experiment ${JSON.stringify(experiment)}.`,
    {
      hint: `${names.length > 0 ? `It has: ${names.join(', ')}. ` : ''}A command of a repository stands behind --.`,
    },
  );
}
