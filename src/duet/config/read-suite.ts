import type { Definition } from '../../platform/config/definition.ts';
import { problemAt } from '../../platform/config/definition-problems.ts';
import type { Problem } from '../../platform/core/errors.ts';
import { baseName, whyInvalidName } from '../../platform/core/path.ts';
import { isJsonObject, type JsonObject } from '../../platform/core/text/json.ts';
import type { DuetArtifact, DuetBenchmark, DuetSuite } from '../core/duet.ts';
import type { Block } from './block.ts';
import { checkListed, checkResultNames, type Listed } from './check-names.ts';
import { readDuet } from './read-duet.ts';
import { type DuetbenchInput, MOST_RUNS } from './schema.ts';

/** The suite out of the block duetbench and the blocks that it names. */
export function readSuite(
  file: JsonObject,
  duetbench: Block,
  definition: Definition,
): { readonly suite: DuetSuite; readonly problems: readonly Problem[] } {
  const listed = listedNames(duetbench);
  const known = Object.keys(file).filter((name) => name !== 'duetbench');
  const once = new Map(listed.toReversed().map((entry) => [entry.name, entry])); // the first of equal ones stays
  const readings = listed
    .filter((entry) => once.get(entry.name) === entry && entry.name !== 'duetbench')
    .map(({ name, index }) => ({ index, ...readDuet(name, { definition, file, known, duetbench, index }) }));
  const found = readings.flatMap(({ benchmark, index }) => (benchmark ? [{ benchmark, index }] : []));
  const benchmarks = found.map(({ benchmark }) => benchmark);
  return {
    suite: toSuite(duetbench, benchmarks, definition),
    problems: [
      ...checkListed(listed, definition),
      ...readings.flatMap(({ problems }) => problems),
      ...checkResultNames(found, definition),
      ...checkArtifacts(duetbench, definition),
      ...checkAmount(benchmarks, definition),
    ],
  };
}

/** Names are taken one by one: one that cannot be a name leaves the others to be looked at. */
function listedNames({ raw: { duets } }: Block): readonly Listed[] {
  if (!Array.isArray(duets)) return [];
  return duets.flatMap((entry: unknown, index): readonly Listed[] => {
    const name = typeof entry === 'string' || typeof entry === 'number' ? String(entry) : '';
    return whyInvalidName(name) === undefined ? [{ name, index }] : [];
  });
}

function toSuite(duetbench: Block, benchmarks: readonly DuetBenchmark[], definition: Definition): DuetSuite {
  const input = duetbench.values as Partial<DuetbenchInput>; // what the schema did not understand is not there
  const { seed, docker_command: engine } = input;
  return {
    name: input.name ?? input.suite ?? benchmarks[0]?.suite ?? baseName(definition.file),
    verbose: input.verbose ?? false,
    ...(typeof seed === 'number' ? { seed } : {}),
    ...(typeof engine === 'string' ? { engine } : {}),
    artifacts: toArtifacts(input.artifacts ?? {}, definition),
    schedule: input.schedule ?? 'sequential',
    benchmarks,
  };
}

/** In the order of the file: objects put keys like "10" first. */
function toArtifacts(
  commands: Readonly<Record<string, string>>,
  definition: Definition,
): readonly DuetArtifact[] {
  const placed = Object.entries(commands).map(([name, command]) => {
    const { line = 0, column = 0 } = definition.positionOf(['duetbench', 'artifacts', name], 'key');
    return { name, command, line, column };
  });
  return placed
    .sort((a, b) => a.line - b.line || a.column - b.column)
    .map(({ name, command }) => ({ name, command }));
}

function checkArtifacts({ raw: { artifacts } }: Block, definition: Definition): readonly Problem[] {
  if (!isJsonObject(artifacts)) return [];
  return Object.keys(artifacts).flatMap((name) => {
    const reason = whyInvalidName(name);
    if (reason === undefined) return [];
    const message = `duetbench.artifacts: ${JSON.stringify(name)} cannot be the name of a file: ${reason}`;
    return [problemAt(definition, ['duetbench', 'artifacts', name], message, { part: 'key' })];
  });
}

function checkAmount(benchmarks: readonly DuetBenchmark[], definition: Definition): readonly Problem[] {
  const amount = benchmarks.reduce(
    (sum, { duetRepetitions, syncduetRepetitions, sequentialRepetitions }) =>
      sum + duetRepetitions + syncduetRepetitions + 2 * sequentialRepetitions,
    0,
  );
  if (amount <= MOST_RUNS) return [];
  const message = `duetbench.duets: the file asks for ${amount} runs; there can be ${MOST_RUNS}`;
  return [problemAt(definition, ['duetbench', 'duets'], message, { part: 'key' })];
}
