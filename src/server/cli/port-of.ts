import { NightmarkError } from '../../platform/core/errors.ts';

/** "4177" -> 4177 */
export function portOf(text: string): number {
  const port = /^\d{1,5}$/.test(text) ? Number(text) : Number.NaN;
  if (port <= 65_535) return port;
  throw new NightmarkError('SERVE_PORT_INVALID', `"${text}" is no port.`, {
    hint: 'Give a number from 1 to 65535, or 0 for any free port.',
  });
}
