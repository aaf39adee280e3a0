import { join } from 'node:path';
import type { Counters } from './rate.ts';
import { readOptional } from './read-optional.ts';

/** Of diskstats(5): the sector counts are of 512 bytes whatever the device says. */
const SECTOR_BYTES = 512;

/** Whole disks only: partitions and device-mapper volumes would count the same bytes again. */
const WHOLE_DISK = /^(?:sd[a-z]+|vd[a-z]+|xvd[a-z]+|hd[a-z]+|nvme\d+n\d+|mmcblk\d+)$/;

/** Links of containers and bridges carry what a real interface carries as well. */
const INNER_LINK = /^(?:lo|veth|docker|br-|virbr|ifb|dummy|cni|flannel|cali|tap|tun)/;

export async function readDisks(root: string, nowMs: () => number): Promise<Counters> {
  const text = (await readOptional(join(root, 'proc/diskstats'))) ?? '';
  const bytes = new Map<string, number>();
  for (const line of text.split('\n')) {
    const [, , name = '', , , read, , , , written] = line.trim().split(/\s+/);
    if (!WHOLE_DISK.test(name)) continue;
    set(bytes, `${name}-read`, Number(read) * SECTOR_BYTES);
    set(bytes, `${name}-written`, Number(written) * SECTOR_BYTES);
  }
  return { atMs: nowMs(), bytes };
}

export async function readNetwork(root: string, nowMs: () => number): Promise<Counters> {
  const text = (await readOptional(join(root, 'proc/net/dev'))) ?? '';
  const bytes = new Map<string, number>();
  for (const line of text.split('\n')) {
    const [, name, counts] = /^\s*([^\s:|]+):(.*)$/.exec(line) ?? [];
    if (name === undefined || counts === undefined || INNER_LINK.test(name)) continue;
    const columns = counts.trim().split(/\s+/);
    set(bytes, `${name}-received`, Number(columns[0]));
    set(bytes, `${name}-sent`, Number(columns[8]));
  }
  return { atMs: nowMs(), bytes };
}

function set(bytes: Map<string, number>, label: string, value: number): void {
  if (Number.isFinite(value)) bytes.set(label, value);
}
