import { stageStatus } from '../../../home/app/result-files.ts';
import type { Task } from '../../../home/core/home.ts';
import { atPath } from '../../../kit/core/data-series.ts';
import { joinPath } from '../../../platform/core/path.ts';
import { indentedJson } from '../../core/subsystems/indented-json.ts';
import { numbersIn } from '../../core/subsystems/stat-alert.ts';
import type { WebsiteNight, WebsiteNumber, WebsiteSection } from '../../core/subsystems/website-page.ts';
import { type DataFile, readDataFiles } from './read-data.ts';
import type { SiteGraphs } from './website-graphs.ts';
import type { SubsystemWork } from './work.ts';

/** The sections of the page, experiments first, and their data written beside it. */
export async function websiteSections(
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
