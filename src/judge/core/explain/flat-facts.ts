import type { PointColumns } from '../../../formats/core/sample.ts';
import { DECIDING_FACTS, MEMORY_STEP } from '../../../home/core/machine/machine-probe.ts';
import { type ExactObject, JsonNumber } from '../../../platform/core/text/exact-json.ts';
import type { JsonObject, JsonValue } from '../../../platform/core/text/json.ts';
import type { Fact, FactColumn, FactGroup, FactValue } from './explanation.ts';

/** Deeper and longer things are data, no facts. */
const MAX_DEPTH = 4;
const MAX_FACTS = 200;
const MAX_TEXT = 500;

/** A value that can be compared: small lists count as their text. */
function toFactValue(value: JsonValue | undefined): FactValue | undefined {
  if (value === null || value === undefined) return undefined;
  if (typeof value === 'string') return value.length <= MAX_TEXT ? value : undefined;
  if (typeof value !== 'object') return value;
  const text = JSON.stringify(value);
  return text.length <= MAX_TEXT ? text : undefined;
}

/** Texts and switches of a document, by their path: "build.compiler". Numbers in it are results, not facts. */
export function textFacts(document: JsonObject | ExactObject, group: FactGroup): readonly Fact[] {
  const facts: Fact[] = [];
  for (const [path, value] of textsIn(document, [])) {
    if (facts.length === MAX_FACTS) break;
    const known = toFactValue(value);
    if (known !== undefined) facts.push({ group, name: path.join('.'), value: known });
  }
  return facts;
}

type Text = readonly [path: readonly string[], value: string | boolean];

function* textsIn(document: JsonObject | ExactObject, path: readonly string[]): Generator<Text> {
  for (const [key, value] of document instanceof Map ? document : Object.entries(document)) {
    const place = [...path, key];
    if (typeof value === 'string' || typeof value === 'boolean') yield [place, value];
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
    if (isObject && !(value instanceof JsonNumber) && place.length < MAX_DEPTH) yield* textsIn(value, place);
  }
}

/** Every field of a flat document, numbers included: settings. */
export function settingFacts(settings: JsonObject, group: FactGroup): readonly Fact[] {
  return Object.entries(settings)
    .slice(0, MAX_FACTS)
    .flatMap(([name, value]) => {
      const known = toFactValue(value);
      return known === undefined ? [] : [{ group, name, value: known }];
    });
}

/** A text that is another at every point (a time, a name of a folder) says nothing about a change. */
export function isInformative({ group, values }: FactColumn): boolean {
  if (group === 'source' || group === 'telemetry' || group === 'machine') return true;
  const known = values.filter((value) => value !== undefined);
  return known.length < ENOUGH || new Set(known).size < known.length;
}

const ENOUGH = 5;

/** Facts of a machine with names for people. */
export function machineFacts(facts: JsonObject): readonly Fact[] {
  return Object.entries(facts).flatMap(([key, value]) => toFact(key, value));
}

/** Only those that are the same for every run with this machine id, whenever the machine was last described. */
export function decidingMachineFacts(facts: JsonObject): readonly Fact[] {
  const names: readonly string[] = [...DECIDING_FACTS, 'memoryBytes'];
  return Object.entries(facts).flatMap(([key, value]) => (names.includes(key) ? toFact(key, value) : []));
}

const NAMES: Readonly<Record<string, string>> = {
  cpu: 'CPU',
  smt: 'SMT',
  os: 'operating system',
  cpuLimit: 'CPU limit',
  usableCpus: 'usable CPUs',
  hostName: 'host name',
  imageId: 'image id',
  node: 'Node.js',
};

/** What was installed, rather than what the machine is. */
const VERSIONS: ReadonlySet<string> = new Set(['node', 'image', 'imageId', 'os', 'libc']);

function toFact(key: string, value: JsonValue): readonly Fact[] {
  const known = toFactValue(value);
  if (known === undefined) return [];
  const group = VERSIONS.has(key) ? 'version' : 'machine';
  if (!key.endsWith('Bytes')) return [{ group, name: nameOf(key), value: known }];
  const isMemory = key === 'memoryBytes' && typeof known === 'number';
  const size = isMemory ? Math.round(known / MEMORY_STEP) * MEMORY_STEP : known;
  return [{ group, name: nameOf(key.slice(0, -'Bytes'.length)), value: size, unit: 'bytes' }];
}

/** memoryLimit -> memory limit. */
function nameOf(key: string): string {
  const known = Object.hasOwn(NAMES, key) ? NAMES[key] : undefined;
  return known ?? key.replace(/(?<=[a-z])[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
}

/** Mean of each reading beside one experiment of one run; cores and devices of a kind count as one. */
export function telemetryFacts(columns: readonly PointColumns[], experiment: string): readonly Fact[] {
  const found = new Map<string, { readonly unit: string; sum: number; count: number }>();
  for (const { name, tags, unit, values } of columns) {
    if (tags['experiment'] !== experiment) continue;
    const key = readingName(name, tags);
    const total = found.get(key) ?? { unit, sum: 0, count: 0 };
    for (const value of values) {
      if (!Number.isFinite(value)) continue;
      total.sum += value;
      total.count++;
    }
    found.set(key, total);
  }
  return [...found]
    .filter(([, { count }]) => count > 0)
    .map(([name, { unit, sum, count }]) => ({ group: 'telemetry', name, unit, value: sum / count }));
}

/** cpu.proc-load with label 1min -> "load 1min"; cpu.proc-frequency of cpu3 -> "frequency". */
function readingName(name: string, tags: PointColumns['tags']): string {
  const group = name.replace(/^cpu\.(proc-)?/, '').replace(/^gpu\./, 'gpu ');
  const label = tags['label'] ?? '';
  return label === '' || /^(cpu|core)?\s*\d+$/i.test(label) ? group : `${group} ${label}`;
}

/** Facts of each point, turned into one column for each fact; in the order in which they first appear. */
export function factColumns(points: readonly (readonly Fact[])[]): readonly FactColumn[] {
  const columns = new Map<string, { readonly first: Fact; readonly values: (FactValue | undefined)[] }>();
  for (const [index, facts] of points.entries()) {
    for (const fact of facts) {
      const key = JSON.stringify([fact.group, fact.name]);
      let column = columns.get(key);
      if (!column) {
        column = { first: fact, values: Array.from({ length: points.length }) };
        columns.set(key, column);
      }
      column.values[index] = fact.value;
    }
  }
  return [...columns.values()].map(({ first: { group, name, unit }, values }) => ({
    group,
    name,
    ...(unit === undefined ? {} : { unit }),
    values,
  }));
}
