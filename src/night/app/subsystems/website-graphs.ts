import { configOf, hasSucceeded, shownText } from '../../../home/app/result-files.ts';
import type { Task } from '../../../home/core/home.ts';
import type { Disk } from '../../../platform/core/disk.ts';
import { isInside, joinPath } from '../../../platform/core/path.ts';
import { isJsonObject } from '../../../platform/core/text/json.ts';
import type { WebsiteFolder } from '../../core/subsystems/website-page.ts';
import type { SubsystemWork } from './work.ts';

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
export async function copyGraphs(work: SubsystemWork): Promise<readonly SiteGraphs[]> {
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
