import { readFile } from 'node:fs/promises';

/** Packets thrown away for the sockets on a port, as Linux counts them; undefined where there is no such file. */
export async function kernelDrops(port: number, family: 4 | 6): Promise<number | undefined> {
  try {
    return dropsIn(await readFile(family === 4 ? '/proc/net/udp' : '/proc/net/udp6', 'utf8'), port);
  } catch {
    // Not Linux, or a sandbox without /proc: the number is not known, which is not the same as none.
    return undefined;
  }
}

/** Columns: https://docs.kernel.org/networking/proc_net_udp.html - the local address is the second, drops the last. */
export function dropsIn(table: string, port: number): number | undefined {
  const suffix = `:${port.toString(16).toUpperCase().padStart(4, '0')}`;
  const rows = table
    .split('\n')
    .slice(1)
    .map((row) => row.trim().split(/\s+/))
    .filter((cells) => cells[1]?.endsWith(suffix));
  const drops = rows.map((cells) => Number(cells.at(-1)));
  return drops.length === 0 || drops.some(Number.isNaN)
    ? undefined
    : drops.reduce((sum, count) => sum + count, 0);
}
