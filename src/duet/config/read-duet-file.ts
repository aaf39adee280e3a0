import { type Definition, LARGEST_BYTES, parseYamlDefinition } from '../../platform/config/definition.ts';
import { describeValue, dotted, problemAt, toError } from '../../platform/config/definition-problems.ts';
import type { Disk } from '../../platform/core/disk.ts';
import { NightmarkError, type Problem } from '../../platform/core/errors.ts';
import { baseName, whyInvalidName } from '../../platform/core/path.ts';
import { isJsonObject, type JsonObject } from '../../platform/core/text/json.ts';
import { nearest } from '../../platform/core/text/nearest.ts';
import type { DuetArtifact, DuetBenchmark, DuetSuite } from '../core/duet.ts';
import { formatResultName, withoutDots } from '../core/result-name.ts';
import { type Block, readBlock } from './duet-block.ts';
import { type DuetbenchInput, MAX_RUNS } from './duet-schema.ts';
import { readDuet } from './read-duet.ts';

/** A duet.yml that can be run, perhaps with warnings, or one that cannot. */
type DuetFileReading =
  | {
      readonly state: 'usable';
      readonly file: string;
      /** As it was read, to be kept with the results. */
      readonly text: string;
      readonly suite: DuetSuite;
      readonly problems: readonly Problem[];
    }
  | {
      readonly state: 'unusable';
      readonly file: string;
      readonly error: NightmarkError;
      readonly problems: readonly Problem[];
    };

export async function readDuetFile(
  file: string,
  { disk }: { readonly disk: Disk },
): Promise<DuetFileReading> {
  try {
    const text = await disk.readText(file, { maxBytes: LARGEST_BYTES.yaml });
    if (text !== undefined) return parseDuetFile(file, text);
    const hint = 'nightmark duet run FILE... takes duet.yml files.';
    return refused(file, new NightmarkError('DUET_NO_FILE', `There is no file ${file}.`, { hint }));
  } catch (error) {
    if (!(error instanceof NightmarkError)) throw error;
    return refused(file, error);
  }
}

/** Parses the text of a duet.yml; every problem is reported with its place. */
export function parseDuetFile(file: string, text: string): DuetFileReading {
  const parsed = parseYamlDefinition(file, text, { mergesKeys: true });
  if (parsed.state === 'broken') return unusable(file, 'CONFIG_SYNTAX', parsed.problems);
  const { definition } = parsed;
  const { value } = definition;
  if (!isJsonObject(value) || !isJsonObject(value['duetbench'])) {
    return unusable(file, 'CONFIG_INVALID', [noDuetbench(definition)]);
  }
  const duetbench = readBlock('duetbench', value['duetbench'], { definition, path: ['duetbench'] });
  const { suite, problems } = readSuite(value, duetbench, definition);
  const all = sorted(unique([...duetbench.problems, ...problems]));
  if (all.some(({ severity }) => severity === 'error')) return unusable(file, 'CONFIG_INVALID', all);
  return { state: 'usable', file, text, suite, problems: all };
}

function refused(file: string, error: NightmarkError): DuetFileReading {
  const hint = error.hint === undefined ? {} : { hint: error.hint };
  const problem: Problem = { severity: 'error', file, message: error.message, ...hint };
  return { state: 'unusable', file, error, problems: [problem] };
}

function unusable(file: string, code: string, problems: readonly Problem[]): DuetFileReading {
  return { state: 'unusable', file, error: toError(code, problems), problems };
}

function noDuetbench(definition: Definition): Problem {
  const { value } = definition;
  const hint = 'A duet file has a block "duetbench:" with "duets:", a list of names of further blocks.';
  if (!isJsonObject(value)) {
    const message = `the file: expected a mapping with a block duetbench, found ${describeValue(value)}`;
    return problemAt(definition, [], message, { hint });
  }
  if (Object.hasOwn(value, 'duetbench')) {
    const found = describeValue(value['duetbench']);
    return problemAt(
      definition,
      ['duetbench'],
      `duetbench: expected a mapping of keys to values, found ${found}`,
    );
  }
  const close = nearest('duetbench', Object.keys(value).slice(0, MAX_COMPARED));
  return problemAt(definition, close === undefined ? [] : [close], 'the file has no block duetbench', {
    hint: close === undefined ? hint : `Did you mean "duetbench" where "${close}" is?`,
    part: 'key',
  });
}

const MAX_COMPARED = 200;

/** A problem of an inherited value is found once for each heir: it is reported once. */
function unique(problems: readonly Problem[]): readonly Problem[] {
  return [...new Map(problems.map((it) => [`${it.line}:${it.column}:${it.message}`, it])).values()];
}

function sorted(problems: readonly Problem[]): readonly Problem[] {
  return [...problems].sort((a, b) => (a.line ?? 0) - (b.line ?? 0) || (a.column ?? 0) - (b.column ?? 0));
}

/** The suite out of the block duetbench and the blocks that it names. */
function readSuite(
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

/** Names are taken one by one: an invalid one does not hide problems of the others. */
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
  if (amount <= MAX_RUNS) return [];
  const message = `duetbench.duets: the file has ${amount} runs; at most ${MAX_RUNS} are allowed`;
  return [problemAt(definition, ['duetbench', 'duets'], message, { part: 'key' })];
}

/** Names that cannot be those of duets: one is our folder, the other the first block of the file. */
const RESERVED = ['artifacts', 'duetbench'];
/** What file systems hold. */
const LONGEST_NAME_BYTES = 255;

/** A name in `duets`, and which entry it is. */
interface Listed {
  readonly name: string;
  readonly index: number;
}

/** The names in `duets` for themselves: reserved ones and repeated ones. */
function checkListed(listed: readonly Listed[], definition: Definition): readonly Problem[] {
  const seen = new Set<string>();
  return listed.flatMap(({ name, index }) => {
    const reason = RESERVED.includes(name)
      ? 'cannot be the name of a duet: it is taken'
      : seen.has(name)
        ? 'is there twice'
        : undefined;
    seen.add(name);
    if (reason === undefined) return [];
    const message = `duetbench.duets: ${JSON.stringify(name)} ${reason}`;
    return [problemAt(definition, ['duetbench', 'duets', index], message)];
  });
}

/** Results of two duets must not overwrite each other, and a file system must be able to hold their names. */
function checkResultNames(
  benchmarks: readonly { readonly benchmark: DuetBenchmark; readonly index: number }[],
  definition: Definition,
): readonly Problem[] {
  const seen = new Map<string, string>();
  return benchmarks.flatMap(({ benchmark, index }) => {
    const { name, suite } = benchmark;
    const at = ['duetbench', 'duets', index];
    const prefix = `${withoutDots(suite)}.${withoutDots(name)}`;
    const other = seen.get(prefix);
    seen.set(prefix, other ?? name);
    const problems: Problem[] = [];
    if (other !== undefined) {
      const message = `duetbench.duets: results of ${JSON.stringify(name)} and ${JSON.stringify(other)} would have the same names (${prefix}...)`;
      const hint = 'Dots become "_" in the names of results: rename one of the two.';
      problems.push(problemAt(definition, at, message, { hint }));
    }
    const longest = longestName(benchmark);
    if (new TextEncoder().encode(longest).length > LONGEST_NAME_BYTES) {
      const message = `${dotted([name])}: the names of its results would be longer than ${LONGEST_NAME_BYTES} bytes`;
      problems.push(problemAt(definition, [name], message, { part: 'key' }));
    }
    return problems;
  });
}

function longestName({ name, suite, sides }: DuetBenchmark): string {
  const files = [...sides.A.results, ...sides.B.results].map(baseName);
  const file = files.reduce((longest, next) => (next.length > longest.length ? next : longest), '');
  const facts = {
    suite,
    benchmark: name,
    runid: MAX_RUNS,
    type: 'syncduet',
    order: 'None',
    pair: 'A',
  } as const;
  return formatResultName({ ...facts, file });
}
