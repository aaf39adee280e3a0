import { configOf, hasSucceeded, shownText, stageStatus } from '../../../home/app/result-files.ts';
import type { Task } from '../../../home/core/home.ts';
import { success } from '../../../home/core/status.ts';
import { readDeadlines } from '../../../home/core/subsystem-config.ts';
import { atPath } from '../../../kit/core/data-series.ts';
import type { Disk } from '../../../platform/core/disk.ts';
import { isInside, joinPath } from '../../../platform/core/path.ts';
import { isJsonObject } from '../../../platform/core/text/json.ts';
import { asctime } from '../../../platform/core/text/times.ts';
import { numbersIn } from '../../core/subsystems/stat-alert.ts';
import {
  COUNTDOWN_SCRIPT,
  indentedJson,
  WEBSITE_STYLE,
  type WebsiteFolder,
  type WebsiteNight,
  type WebsiteNumber,
  type WebsiteSection,
  websitePage,
} from '../../core/subsystems/website-page.ts';
import { type BuiltInSubsystem, type DataFile, readDataFiles, type SubsystemWork } from './subsystem-work.ts';

/** Makes a page with all graphs, numbers and the data behind them, to be opened from disk or by any web server. */
export const buildWebsite: BuiltInSubsystem = async (work) => {
  const { disk, clock, output, home, config } = work;
  const graphs = await copyGraphs(work);
  const sections = await websiteSections(work, graphs);
  const usual = home.dialect === 'dashboard' ? 'TVM Relay Dashboard' : home.project;
  const page = websitePage({
    title: shownText(config['title'] ?? work.task.title) || usual,
    madeAt: asctime(clock.wall(clock.now())),
    deadlines: await deadlinesOf(work),
    sections,
  });
  await disk.writeText(joinPath(output, 'style.css'), WEBSITE_STYLE);
  await disk.writeText(joinPath(output, 'countdown.js'), COUNTDOWN_SCRIPT);
  await disk.writeText(joinPath(output, 'index.html'), page);
  return success('success');
};

/** Also of a deadline subsystem that is not active, and those that passed. */
async function deadlinesOf(work: SubsystemWork) {
  const isDeadline = ({ kind, implementation, name }: Task) =>
    kind === 'subsystem' &&
    (implementation.type === 'built-in' ? implementation.id === 'deadline' : name === 'deadline');
  const task = work.home.tasks.find(isDeadline);
  if (!task || task.state === 'broken' || !(await hasSucceeded(work, task, 'precheck'))) return [];
  return readDeadlines(await configOf(task, work.disk), work.clock).deadlines;
}

/** The sections of the page, experiments first, and their data written beside it. */
async function websiteSections(
  work: SubsystemWork,
  graphs: readonly SiteGraphs[],
): Promise<readonly WebsiteSection[]> {
  const { disk, home, layout, output } = work;
  const [made, fresh] = [joinPath(output, 'data'), joinPath(output, 'data.new')];
  await disk.remove(fresh);
  await disk.makeDir(fresh);
  const experiments = home.tasks.filter(({ kind }) => kind === 'experiment');
  const sections: WebsiteSection[] = [];
  for (const task of experiments) {
    const { name, title } = task;
    // Of one that failed this night too: a link to its numbers goes on working.
    const files = task.state === 'active' ? await readDataFiles(layout.data(name), disk) : [];
    if (files.length > 0) {
      const newestFirst = files.map(({ exact }) => exact).reverse();
      await disk.writeText(joinPath(fresh, `${name}.json`), indentedJson(newestFirst));
    }
    sections.push({
      name,
      ...(title !== undefined && { title }),
      night: await nightOf(task, files, work),
      hasData: files.length > 0,
      numbers: numbersOf(files),
      folders: graphs.find((it) => it.name === name)?.folders ?? [],
    });
  }
  await disk.remove(made);
  await disk.rename(fresh, made);
  const others = graphs.filter(({ name }) => !experiments.some((task) => task.name === name));
  return [...sections, ...others.map((it) => ({ ...it, hasData: false, numbers: [] }))];
}

const STAGES = ['precheck', 'setup', 'run', 'analysis', 'visualization', 'summary'];

async function nightOf(task: Task, files: readonly DataFile[], work: SubsystemWork): Promise<WebsiteNight> {
  const run = await stageStatus(work, task, 'run');
  const duration = run?.extra['time_delta'];
  const common = {
    duration: typeof duration === 'string' ? duration : '',
    timestamp: files.at(-1)?.entry.timestamp ?? '',
  };
  for (const stage of STAGES) {
    const status = await stageStatus(work, task, stage);
    if (status?.success === false)
      return { ...common, state: 'failed', message: `Failed at stage ${stage}: ${status.message}` };
  }
  if (task.state === 'inactive') return { ...common, state: 'inactive', message: '' };
  const reason = work.skipReason(task) ?? (run ? undefined : 'It did not run.');
  return reason === undefined
    ? { ...common, state: 'succeeded', message: '' }
    : { ...common, state: 'skipped', message: reason };
}

function numbersOf(files: readonly DataFile[]): readonly WebsiteNumber[] {
  const [newest, before] = [files.at(-1)?.entry, files.at(-2)?.entry];
  if (!newest) return [];
  return [...numbersIn(newest, [])].map(({ path, value }) => {
    const earlier = before && atPath(before, path);
    return { path, value, ...(isFiniteNumber(earlier) && { before: earlier }) };
  });
}

function isFiniteNumber(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value);
}

/** The graphs of one experiment or score in the folder of the page. */
export interface SiteGraphs {
  readonly name: string;
  /** Of a score. */
  readonly title?: string;
  readonly folders: readonly WebsiteFolder[];
}

const IMAGE = /\.(?:png|jpe?g|gif|webp|svg)$/i;
const MAX_DEPTH = 8;

/** A fresh copy of all graphs. The earlier one is there until the new one is whole. */
async function copyGraphs(work: SubsystemWork): Promise<readonly SiteGraphs[]> {
  const { disk, layout, output } = work;
  const [made, fresh] = [joinPath(output, 'graph'), joinPath(output, 'graph.new')];
  await disk.remove(fresh);
  await disk.makeDir(fresh);
  await disk.copyTree(layout.graph(''), fresh);
  await settleLinks({ from: layout.graph(''), to: fresh }, '', disk);
  const titles = await copyScores(work, fresh);
  await disk.remove(made);
  await disk.rename(fresh, made);
  const graphs: SiteGraphs[] = [];
  for (const { name, type } of await disk.list(made)) {
    if (type !== 'folder') continue;
    const title = titles.get(name);
    graphs.push({ name, ...(title !== undefined && { title }), folders: await foldersIn(made, name, disk) });
  }
  return graphs;
}

/** The graphs of scores that succeeded this night, beside those of experiments; their titles by folder. */
async function copyScores(work: SubsystemWork, to: string): Promise<ReadonlyMap<string, string>> {
  const { disk, layout, home } = work;
  const titles = new Map<string, string>();
  const isScore = ({ kind, state, implementation, name }: Task) =>
    kind === 'subsystem' &&
    state === 'active' &&
    (implementation.type === 'built-in' ? implementation.id === 'score' : name === 'score');
  const task = home.tasks.find(isScore);
  if (!task || !(await hasSucceeded(work, task, 'run'))) return titles;
  const confs = (await configOf(task, disk))['score_confs'];
  const taken = new Set((await disk.list(to)).map(({ name }) => name));
  for (const { name, type } of await disk.list(joinPath(layout.output(task.name), 'graphs'))) {
    if (type !== 'folder') continue;
    // A metric may have the name of an experiment.
    const folder = taken.has(name) ? `score-${name}` : name;
    await disk.makeDir(joinPath(to, folder));
    await disk.copyTree(joinPath(layout.output(task.name), 'graphs', name), joinPath(to, folder));
    const conf = isJsonObject(confs) ? confs[name] : undefined;
    titles.set(folder, (isJsonObject(conf) && shownText(conf['title'])) || name);
  }
  return titles;
}

/** A web server may follow links: those to another graph become copies of it, all others go. */
async function settleLinks(
  roots: { readonly from: string; readonly to: string },
  path: string,
  disk: Disk,
): Promise<void> {
  const { from, to } = roots;
  for (const { name, type } of await disk.list(joinPath(to, path))) {
    const inside = joinPath(path, name);
    if (type === 'folder') await settleLinks(roots, inside, disk);
    if (type !== 'link') continue;
    await disk.remove(joinPath(to, inside));
    const facts = await disk.stat(joinPath(from, inside));
    if (facts?.type !== 'file') continue;
    const real = await disk.realPath(joinPath(from, inside));
    const bytes = isInside(real, await disk.realPath(from)) && (await disk.readFrom(real, 0, facts.size));
    if (bytes) await disk.writeBytes(joinPath(to, inside), bytes);
  }
}

/** A folder before those inside it. Links are not followed. */
async function foldersIn(
  root: string,
  path: string,
  disk: Disk,
  depth = 1,
): Promise<readonly WebsiteFolder[]> {
  const entries = await disk.list(joinPath(root, path));
  const images = entries
    .filter(({ name, type }) => type === 'file' && IMAGE.test(name))
    .map(({ name }) => name);
  const found: WebsiteFolder[] = [{ path, images }];
  for (const { name, type } of entries) {
    if (type !== 'folder' || depth >= MAX_DEPTH) continue;
    found.push(...(await foldersIn(root, `${path}/${name}`, disk, depth + 1)));
  }
  return found;
}
