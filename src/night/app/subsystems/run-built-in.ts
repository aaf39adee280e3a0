import { failure, type Status, statusFields } from '../../../home/core/status.ts';
import { messageOf, NightmarkError } from '../../../platform/core/errors.ts';
import { joinPath } from '../../../platform/core/path.ts';
import { pythonJson } from '../../../platform/core/text/json.ts';
import { alertBySd } from './alert-by-deviation.ts';
import { buildWebsite } from './build-website.ts';
import { computeScores } from './compute-scores.ts';
import { drawTelemetry } from './draw-telemetry.ts';
import { reportExperiments } from './report-experiments.ts';
import { reportDeadlines, reportSubsystems } from './slack-reports.ts';
import type { BuiltInSubsystem, SubsystemWork } from './subsystem-work.ts';

/** By the names of their folders in the old dashboard. */
const BUILT_IN: Readonly<Record<string, BuiltInSubsystem>> = {
  deadline: reportDeadlines,
  exp_results: reportExperiments,
  subsys_reporter: reportSubsystems,
  stat_alert: alertBySd,
  score: computeScores,
  website: buildWebsite,
  vis_telemetry: drawTelemetry,
};

/** Runs a built-in subsystem and leaves its status.json, as its script did. */
export async function runBuiltIn(id: string, work: SubsystemWork): Promise<Status> {
  const status = await attempt(id, work);
  await work.disk.writeText(joinPath(work.output, 'status.json'), pythonJson(statusFields(status)));
  return status;
}

async function attempt(id: string, work: SubsystemWork): Promise<Status> {
  const subsystem = Object.hasOwn(BUILT_IN, id) ? BUILT_IN[id] : undefined;
  if (!subsystem) return failure(`There is no built-in subsystem ${id}`);
  try {
    return await subsystem(work);
  } catch (error) {
    // A full disk or an interrupt concerns the whole night.
    const isOurs = error instanceof NightmarkError && !/^(?:DISK_FULL|RUN_INTERRUPTED)$/.test(error.code);
    if (!isOurs) throw error;
    return failure(messageOf(error));
  }
}
