import type { Pinning } from '../../executors/core/executor.ts';

/** Said wherever cores were expected. */
export const CORES = 'cores as a list such as 0-3,7 or as a mask such as 0xff';

/** A CPU list ("0-3,7", 2, [0, 1]) or a mask ("0x3"); undefined when it is neither. */
export function parseCores(cores: unknown): Pinning | undefined {
  if (typeof cores === 'number') return parseCores(String(cores));
  if (Array.isArray(cores)) return parseCores(cores.join(','));
  if (typeof cores !== 'string') return undefined;
  const text = cores.replaceAll(/\s+/g, '');
  if (/^0x0*[1-9a-f][0-9a-f]*$/i.test(text)) return { type: 'mask', mask: text };
  return text.split(',').every(isCoreRange) ? { type: 'list', cores: text } : undefined;
}

function isCoreRange(range: string): boolean {
  const match = /^(\d{1,5})(?:-(\d{1,5})(?::[1-9]\d{0,4})?)?$/.exec(range);
  return match !== null && (match[2] === undefined || Number(match[1]) <= Number(match[2]));
}
