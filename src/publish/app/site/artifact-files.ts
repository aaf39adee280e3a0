import { listGraphs } from '../../../dashboard/app/runs/result-files.ts';
import { homeLayout } from '../../../home/core/home-layout.ts';
import type { Disk, DiskFacts } from '../../../platform/core/disk.ts';
import { joinPath } from '../../../platform/core/path.ts';
import { artifactPath, siteFileName } from '../../../platform/core/site/site-files.ts';
import { isHarmlessSvgFile } from '../../../platform/core/site/site-media.ts';
import { parseNightLabel } from '../../../platform/core/text/times.ts';
import type { SiteFile, SiteFiles } from '../../core/site/site-map.ts';

/** The bytes that are left for artifacts, and the files that were left out. */
export interface Budget {
  bytes: number;
  old: number;
  unsafe: number;
}

interface Artifacts {
  readonly home: string;
  readonly experiments: readonly string[];
  /** How many nights back data files are published. */
  readonly nights: number;
}

/** Graphs and summaries of the newest night, then data files night by night, newest first, while there is room. */
export async function* artifactFiles(artifacts: Artifacts, disk: Disk, budget: Budget): SiteFiles {
  const { home, experiments } = artifacts;
  const chosen = new Map<string, SiteFile[]>();
  const take = (file: SiteFile, { size }: DiskFacts) => {
    if (size > budget.bytes) return void budget.old++;
    budget.bytes -= size;
    const folder = file.path.slice(0, file.path.lastIndexOf('/'));
    chosen.set(folder, [...(chosen.get(folder) ?? []), file]);
  };
  for (const experiment of experiments) {
    const base = `artifacts/${siteFileName(experiment)}`;
    const graphs = homeLayout(home).graph(experiment);
    for (const name of (await listGraphs(home, experiment, disk)).files) {
      const source = joinPath(graphs, name);
      const facts = await disk.stat(source);
      if (facts && (await isSafe(source, facts, disk)))
        take(fileOf(artifactPath('graph', experiment, name), source, facts, disk), facts);
      else budget.unsafe++;
    }
    const summary = joinPath(homeLayout(home).summary(experiment), 'summary.json');
    const facts = await disk.stat(summary);
    if (facts?.type === 'file') take(fileOf(`${base}/summary.json`, summary, facts, disk), facts);
  }
  for await (const { path, source, facts } of dataFiles(artifacts, disk, budget))
    take({ ...fileOf(path, source, facts, disk), isNamed: true }, facts);
  for (const folder of [...chosen.keys()].sort()) yield* chosen.get(folder) ?? [];
}

interface DataFile {
  readonly path: string;
  readonly source: string;
  readonly night: string;
}

/** A night's data file never changes its name and lies under it, so that links to it stay good. */
async function* dataFiles({ home, experiments, nights }: Artifacts, disk: Disk, budget: Budget) {
  const files: DataFile[] = [];
  for (const experiment of experiments) {
    const folder = homeLayout(home).data(experiment);
    const own = (await disk.list(folder)).flatMap(({ name, type }): readonly DataFile[] => {
      const night = type === 'file' ? nightOf(name) : undefined;
      const path = artifactPath('data', experiment, name);
      return night === undefined ? [] : [{ path, source: joinPath(folder, name), night }];
    });
    own.sort(newestFirst);
    budget.old += Math.max(0, own.length - nights);
    files.push(...own.slice(0, nights));
  }
  for (const { path, source } of files.sort(newestFirst)) {
    const facts = await disk.stat(source);
    if (facts?.type === 'file') yield { path, source, facts };
  }
}

function newestFirst(a: DataFile, b: DataFile): number {
  if (a.night !== b.night) return a.night < b.night ? 1 : -1;
  return a.path < b.path ? -1 : 1;
}

/** The label of the night in an order that sorts; undefined for other files. */
function nightOf(name: string): string | undefined {
  const label = /^data_([\w-]+)\.json$/.exec(name)?.[1];
  const time = label === undefined ? undefined : parseNightLabel(label);
  if (!time) return undefined;
  const digits = [time.month, time.day, time.hour, time.minute].map((part) => String(part).padStart(2, '0'));
  return `${time.year}${digits.join('')}${label}`;
}

function fileOf(path: string, source: string, facts: DiskFacts, disk: Disk): SiteFile {
  const { size, modifiedAt, changedAt } = facts;
  return {
    path,
    isNamed: false,
    stamp: `${size} ${modifiedAt} ${changedAt}`,
    bytes: () => bytesOf(source, disk),
  };
}

async function* bytesOf(source: string, disk: Disk): AsyncIterable<Uint8Array> {
  yield* (await disk.readChunks(source)) ?? [];
}

/** A larger drawing is not worth checking. */
const LARGEST_SVG = 4 * 1024 * 1024;

async function isSafe(source: string, { size, type }: DiskFacts, disk: Disk): Promise<boolean> {
  if (type !== 'file') return false;
  if (!/\.svg$/i.test(source)) return true;
  const bytes = size > LARGEST_SVG ? undefined : await disk.readFrom(source, 0, LARGEST_SVG);
  return bytes !== undefined && isHarmlessSvgFile(bytes);
}
