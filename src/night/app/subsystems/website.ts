import { configOf, hasSucceeded, shownText } from '../../../home/app/result-files.ts';
import type { Task } from '../../../home/core/home.ts';
import { success } from '../../../home/core/status.ts';
import { readDeadlines } from '../../../home/core/subsystem-config.ts';
import { joinPath } from '../../../platform/core/path.ts';
import { asctime } from '../../../platform/core/text/times.ts';
import { COUNTDOWN_SCRIPT, WEBSITE_STYLE } from '../../core/subsystems/website-files.ts';
import { websitePage } from '../../core/subsystems/website-page.ts';
import { copyGraphs } from './website-graphs.ts';
import { websiteSections } from './website-sections.ts';
import type { BuiltInSubsystem, SubsystemWork } from './work.ts';

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
