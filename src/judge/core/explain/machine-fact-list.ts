import { DECIDING_FACTS, MEMORY_STEP } from '../../../home/core/machine/machine-probe.ts';
import type { JsonObject, JsonValue } from '../../../platform/core/text/json.ts';
import type { Fact } from './explanation.ts';
import { toFactValue } from './flat-facts.ts';

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
