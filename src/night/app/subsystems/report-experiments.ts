import { configOf, readObject, shownText, stageStatus } from '../../../home/app/result-files.ts';
import type { Task } from '../../../home/core/home.ts';
import { failure, type Status, success } from '../../../home/core/status.ts';
import type { Disk } from '../../../platform/core/disk.ts';
import { baseName, joinPath } from '../../../platform/core/path.ts';
import {
  type ExperimentFailure,
  type ExperimentOutcome,
  experimentMessage,
  harmless,
} from '../../core/subsystems/slack-messages.ts';
import { openChannels, postedStatus, type SlackChannels } from './slack-reports.ts';
import type { BuiltInSubsystem, SubsystemWork } from './subsystem-work.ts';

/** Posts how the experiments of the night ended, and their graphs below it where the configuration says so. */
export const reportExperiments: BuiltInSubsystem = async (work) => {
  const channels = await openChannels(work);
  if ('success' in channels) return channels;
  const outcomes: ExperimentOutcome[] = [];
  const unvisualized: string[] = [];
  for (const task of work.home.tasks) {
    if (task.kind !== 'experiment') continue;
    outcomes.push(await outcomeOf(task, work));
    const isDrawn = await isVisualized(task, work);
    if (!isDrawn) unvisualized.push(titleOf(task));
  }
  const description = shownText(work.config['description'] ?? work.task.description);
  const posted = await channels.post(experimentMessage({ description, outcomes, unvisualized }));
  const status = postedStatus(posted);
  const wantsImages = work.config['report_images'];
  if (!status.success || wantsImages === undefined || wantsImages === false) return status;
  return channels.hasToken
    ? reportImages(work, channels)
    : success('success, without images: they need slack_client_token and channel_id');
};

function titleOf({ name, title = name }: Task): string {
  return title;
}

const STAGES = ['setup', 'run', 'analysis', 'summary'];

async function outcomeOf(task: Task, work: SubsystemWork): Promise<ExperimentOutcome> {
  const precheck = await stageStatus(work, task, 'precheck');
  if (precheck?.success === false)
    return { state: 'failed', title: task.name, stage: 'precheck', message: precheck.message };
  const title = titleOf(task);
  if (task.state === 'inactive') return { state: 'inactive', title };
  if (work.skipReason(task) !== undefined) return { state: 'skipped', title };
  for (const stage of STAGES) {
    const status = await stageStatus(work, task, stage);
    if (status?.success === true || (!status && stage === 'setup')) continue;
    const message = status?.message ?? `${stage} stage status missing`;
    return { state: 'failed', title, stage, message, ...(await circumstances(task, work)) };
  }
  const summary = await readObject(work.layout.summary(task.name), 'summary.json', work.disk);
  const fields = typeof summary === 'string' ? {} : summary;
  const { duration = '' } = await circumstances(task, work);
  return {
    state: 'succeeded',
    title: shownText(fields['title']) || title,
    value: shownText(fields['value']),
    duration,
  };
}

async function circumstances(
  task: Task,
  work: SubsystemWork,
): Promise<Pick<ExperimentFailure, 'duration' | 'notify'>> {
  const run = await stageStatus(work, task, 'run');
  const duration = run?.extra['time_delta'];
  const namesPeople = task.notify.length > 0 || Object.hasOwn(await configOf(task, work.disk), 'notify');
  return {
    ...(typeof duration === 'string' && { duration }),
    ...(namesPeople && { notify: task.notify }),
  };
}

/** An experiment without graphs failed before; commands without a visualize stage draw none. */
async function isVisualized(task: Task, work: SubsystemWork): Promise<boolean> {
  const status = await stageStatus(work, task, 'visualization');
  return status === undefined || status.success;
}

/** Posts a message for every folder of graphs, and the pictures in its thread. What does not arrive is counted. */
async function reportImages(work: SubsystemWork, channels: SlackChannels): Promise<Status> {
  const { layout, disk, config } = work;
  const problems: string[] = [];
  let images = 0;
  for (const { folder, names } of await imageFolders(layout.graph(''), disk)) {
    const name = config['report_images'] === 'path' ? folder : baseName(folder);
    const { receipts, problems: unposted } = await channels.post({ text: `Graphs of ${harmless(name)}` });
    problems.push(...unposted);
    for (const file of names) {
      images++;
      const png = await readBytes(joinPath(layout.graph(''), folder, file), disk);
      if (!png) continue;
      for (const receipt of receipts) {
        const picture = { name: joinPath(folder, file).replaceAll('/', '-'), title: file, png };
        const sent = await channels.upload(receipt, picture);
        if (sent.state !== 'sent') problems.push(`${file}: ${sent.message}`);
      }
    }
    if (work.signal.aborted) break;
  }
  if (problems.length === 0) return success('success');
  return failure(`Of ${images} images, some did not arrive: ${problems.slice(0, 3).join('; ')}`);
}

interface ImageFolder {
  /** Below the folder of all graphs. */
  readonly folder: string;
  readonly names: readonly string[];
}

const IMAGE = /\.(?:png|jpe?g)$/i;
const MAX_DEPTH = 8;

/** The folders that hold pictures, a folder before those inside it. Links are not followed. */
async function imageFolders(
  root: string,
  disk: Disk,
  folder = '',
  depth = 0,
): Promise<readonly ImageFolder[]> {
  const entries = await disk.list(joinPath(root, folder));
  const names = entries
    .filter(({ name, type }) => type === 'file' && IMAGE.test(name))
    .map(({ name }) => name);
  const found: ImageFolder[] = names.length > 0 && folder !== '' ? [{ folder, names }] : [];
  for (const { name, type } of entries) {
    if (type !== 'folder' || depth >= MAX_DEPTH) continue;
    found.push(...(await imageFolders(root, disk, joinPath(folder, name), depth + 1)));
  }
  return found;
}

/** Slack accepts a gigabyte; no graph is that large. */
const MAX_BYTES = 50 * 1024 * 1024;

async function readBytes(path: string, disk: Disk): Promise<Uint8Array | undefined> {
  const facts = await disk.stat(path);
  return facts?.type === 'file' && facts.size > 0 && facts.size <= MAX_BYTES
    ? disk.readFrom(path, 0, facts.size)
    : undefined;
}
