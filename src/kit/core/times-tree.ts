import { DATA_KEYS } from '../../formats/core/sample-data.ts';
import type { JsonObject, JsonValue } from '../../platform/core/text/json.ts';
import { readTable, summarizeTimes, TRIAL_COLUMNS } from './trial-table.ts';

/**
 * The times of a table as the data of a night: {first parameter: {second: mean}}, and under "detailed" the same tree with
 * mean, median and deviation. A table without parameters has one value, "time".
 */
export function timesTree(text: string): JsonObject {
  const [header = [], ...rows] = readTable(text);
  const depth = Math.max(0, header.length - TRIAL_COLUMNS.length);
  const groups = new Map<string, { readonly path: readonly string[]; readonly times: number[] }>();
  for (const cells of rows) {
    const path = depth === 0 ? ['time'] : cells.slice(0, depth);
    const key = JSON.stringify(path);
    const group = groups.get(key) ?? { path, times: [] };
    groups.set(key, group);
    group.times.push(Number(cells.at(-1)));
  }
  const means: Tree = {};
  const detailed: Tree = {};
  for (const { path, times } of groups.values()) {
    const summary = summarizeTimes(times);
    put(means, path, summary.mean);
    put(detailed, path, { ...summary });
  }
  return groups.size === 0 ? {} : ({ ...means, detailed } as JsonObject);
}

/** One line for each number: "quick, 100: 1.234 ms"; details and times of day are left out. */
export function describeTimes(data: JsonObject): readonly string[] {
  const lines: string[] = [];
  const walk = (node: JsonValue, path: readonly string[]) => {
    if (typeof node === 'number') lines.push(`${path.join(', ')}: ${(node * 1000).toFixed(3)} ms`);
    else if (typeof node === 'object' && node !== null && !Array.isArray(node)) {
      for (const [key, item] of Object.entries(node)) if (!DATA_KEYS.has(key)) walk(item, [...path, key]);
    }
  };
  walk(data, []);
  return lines;
}

interface Tree {
  [key: string]: Tree | JsonValue;
}

function put(tree: Tree, path: readonly string[], value: JsonValue): void {
  let node = tree;
  for (const key of path.slice(0, -1)) {
    // A key such as "__proto__" is a key like any other.
    if (!Object.hasOwn(node, key)) define(node, key, {});
    node = node[key] as Tree;
  }
  define(node, path.at(-1) ?? '', value);
}

function define(node: Tree, key: string, value: Tree | JsonValue): void {
  Object.defineProperty(node, key, { value, enumerable: true, writable: true, configurable: true });
}
