import { type Definition, LARGEST_BYTES, parseYamlDefinition } from '../../platform/config/definition.ts';
import { describeValue, problemAt, toError } from '../../platform/config/definition-problems.ts';
import type { Disk } from '../../platform/core/disk.ts';
import { NightmarkError, type Problem } from '../../platform/core/errors.ts';
import { isJsonObject } from '../../platform/core/text/json.ts';
import { nearest } from '../../platform/core/text/nearest.ts';
import type { DuetSuite } from '../core/duet.ts';
import { readBlock } from './block.ts';
import { readSuite } from './read-suite.ts';

/** A duet.yml that can be run, perhaps with warnings, or one that cannot. */
export type DuetFileReading =
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

/** Understands the text of a duet.yml; every problem is told, with its place. */
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
  const close = nearest('duetbench', Object.keys(value).slice(0, MOST_COMPARED));
  return problemAt(definition, close === undefined ? [] : [close], 'the file has no block duetbench', {
    hint: close === undefined ? hint : `Did you mean "duetbench" where "${close}" is?`,
    part: 'key',
  });
}

const MOST_COMPARED = 200;

/** What is wrong with an inherited value is wrong for each that inherits it: told once. */
function unique(problems: readonly Problem[]): readonly Problem[] {
  return [...new Map(problems.map((it) => [`${it.line}:${it.column}:${it.message}`, it])).values()];
}

function sorted(problems: readonly Problem[]): readonly Problem[] {
  return [...problems].sort((a, b) => (a.line ?? 0) - (b.line ?? 0) || (a.column ?? 0) - (b.column ?? 0));
}
