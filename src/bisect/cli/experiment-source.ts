import type { Checkout, Source, SourceControl } from '../../git/core/source-control.ts';
import { readHome } from '../../home/config/read-home.ts';
import type { Home, Task } from '../../home/core/home.ts';
import { homeLayout } from '../../home/core/home-layout.ts';
import type { CliContext } from '../../platform/cli/command.ts';
import { NightmarkError } from '../../platform/core/errors.ts';
import { joinPath } from '../../platform/core/path.ts';
import { nearestFirst } from '../../platform/core/text/nearest.ts';
import type { BisectWork } from '../core/journal.ts';

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

export async function readExperiment(
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
export function prepareRef({ home, source }: FoundExperiment, ref: string, means: Means): Promise<Checkout> {
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
