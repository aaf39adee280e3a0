import type { KpiDefinition } from './kpi.ts';

/** Below this many characters a name says too little without its prefix. */
const SHORTEST = 5;

/** Names for the head of a table: without the prefix that all share, with an arrow to the better side. */
export function kpiHeads(definitions: readonly KpiDefinition[]): readonly string[] {
  const prefix = commonPrefix(definitions.map(({ name }) => name));
  return definitions.map(({ name, better }) => {
    const rest = name.slice(prefix.length);
    const short = rest.length < SHORTEST ? name : rest;
    return better === 'unknown' ? short : `${short} ${better === 'lower' ? '▼' : '▲'}`;
  });
}

/** Whole words up to an underscore: "tiny_" of tiny_memory and tiny_throughput. */
function commonPrefix(names: readonly string[]): string {
  const [first = '', ...others] = names;
  if (others.length === 0) return '';
  let length = first.length;
  for (const name of others) while (!name.startsWith(first.slice(0, length))) length--;
  return first.slice(0, first.lastIndexOf('_', length - 1) + 1);
}
