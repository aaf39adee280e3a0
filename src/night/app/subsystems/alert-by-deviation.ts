import { analyzedExperiments } from '../../../home/app/result-files.ts';
import { success } from '../../../home/core/status.ts';
import { joinPath } from '../../../platform/core/path.ts';
import { pythonJson } from '../../../platform/core/text/json.ts';
import { type AlertedExperiment, sdAlerts, sdReport } from '../../core/subsystems/stat-alert.ts';
import { type BuiltInSubsystem, readDataFiles } from './subsystem-work.ts';

/** Reports series that are more than one standard deviation away from their past. */
export const alertBySd: BuiltInSubsystem = async (work) => {
  const { home, layout, disk, task, config, output } = work;
  const file = joinPath(output, 'report.json');
  await disk.remove(file);
  const days = Math.trunc(Number(config['time_window'] ?? 0));
  const alerted: AlertedExperiment[] = [];
  for (const experiment of await analyzedExperiments(work, home.tasks)) {
    const { name, title = name } = experiment;
    const files = await readDataFiles(layout.data(name), disk);
    const entries = files.map(({ entry }) => entry);
    alerted.push({ title, alerts: sdAlerts(entries, Number.isNaN(days) ? 0 : days) });
  }
  const report = sdReport(alerted, task.notify);
  if (report) await disk.writeText(file, pythonJson(report));
  return success('success');
};
