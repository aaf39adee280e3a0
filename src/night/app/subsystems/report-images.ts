import { failure, type Status, success } from '../../../home/core/status.ts';
import type { Disk } from '../../../platform/core/disk.ts';
import { baseName, joinPath } from '../../../platform/core/path.ts';
import { harmless } from '../../core/subsystems/slack-parts.ts';
import type { SlackChannels } from './post-slack.ts';
import type { SubsystemWork } from './work.ts';

/** Posts a message for every folder of graphs, and the pictures in its thread. What does not arrive is counted. */
export async function reportImages(work: SubsystemWork, channels: SlackChannels): Promise<Status> {
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

/** Slack takes a gigabyte; a graph is none. */
const MAX_BYTES = 50 * 1024 * 1024;

async function readBytes(path: string, disk: Disk): Promise<Uint8Array | undefined> {
  const facts = await disk.stat(path);
  return facts?.type === 'file' && facts.size > 0 && facts.size <= MAX_BYTES
    ? disk.readFrom(path, 0, facts.size)
    : undefined;
}
