import type { Companions, Format, ResultsRule } from '../../formats/core/format.ts';
import type { Home } from '../../home/core/home.ts';
import type { CliContext } from '../../platform/cli/command.ts';
import { NightmarkError } from '../../platform/core/errors.ts';
import { dirName, joinPath, resolvePath } from '../../platform/core/path.ts';
import type { ImportFile, ImportOptions } from '../app/import-request.ts';
import { importFormat } from '../app/read-import.ts';

/** A result file of this size has millions of values; more is a log, and would not fit into memory once parsed. */
const MAX_BYTES = 256 * 1024 * 1024;

interface HowToRead {
  readonly rule: ResultsRule;
  readonly formats: readonly Format[];
}

/** Reads what the arguments of the command line name: files, "-" for standard input, a results folder of asv. */
export async function* readFiles(
  given: readonly string[],
  how: HowToRead,
  context: CliContext,
): AsyncGenerator<ImportFile> {
  const companions = companionReader(context);
  for (const name of given) {
    if (name === '-') {
      yield {
        name: 'standard input',
        path: '',
        text: await readInput(context),
        writtenAt: context.clock.now(),
        beside: {},
      };
      continue;
    }
    for (const file of await expand(name, context))
      yield await readOne(file, { ...how, companions }, context);
  }
}

type CompanionReader = (path: string, names: readonly string[]) => Promise<Companions>;

async function readOne(
  name: string,
  { rule, formats, companions }: HowToRead & { readonly companions: CompanionReader },
  { cwd, disk }: CliContext,
): Promise<ImportFile> {
  const path = resolvePath(cwd, name);
  const facts = await disk.stat(path);
  const text = await disk.readText(path, { maxBytes: MAX_BYTES });
  if (facts === undefined || text === undefined) {
    throw new NightmarkError('IMPORT_NO_FILE', `There is no file ${name}.`, {
      hint: 'Name files with results, or "-" for standard input.',
    });
  }
  const format = importFormat({ text, rule, origin: name }, formats);
  const beside = await companions(path, format.companions ?? []);
  return { name, path, text, writtenAt: facts.modifiedAt, beside };
}

/** One companion belongs to a thousand files: each is read once. */
function companionReader({ disk }: CliContext): CompanionReader {
  const texts = new Map<string, Promise<string | undefined>>();
  return async (path, names) => {
    const found = await Promise.all(
      names.map(async (name) => {
        const file = resolvePath(dirName(path), name);
        const reading = texts.get(file) ?? disk.readText(file, { maxBytes: MAX_BYTES });
        texts.set(file, reading);
        const text = await reading;
        return text === undefined ? [] : [[name, text] as const];
      }),
    );
    return Object.fromEntries(found.flat());
  };
}

/** Folders of results that are known: that of asv has a folder for each machine, that of criterion one for each benchmark. */
async function expand(name: string, { cwd, disk }: CliContext): Promise<readonly string[]> {
  const path = resolvePath(cwd, name);
  if ((await disk.stat(path))?.type !== 'folder') return [name];
  const entries = await disk.list(path);
  if (!entries.some((entry) => entry.name === 'benchmarks.json')) {
    const found = await criterionFiles(path, disk);
    if (found.length > 0) return found.map((file) => joinPath(name, file.slice(path.length + 1)));
    throw new NightmarkError(
      'IMPORT_FOLDER',
      `${name} is a folder, and no results folder of asv or criterion.`,
      { hint: `Name the files in it: nightmark import ${joinPath(name, '*.json')}` },
    );
  }
  const files: string[] = [];
  for (const { name: machine, type } of entries) {
    if (type !== 'folder') continue;
    for (const entry of await disk.list(joinPath(path, machine)))
      if (entry.type === 'file' && entry.name.endsWith('.json') && entry.name !== 'machine.json')
        files.push(joinPath(name, machine, entry.name));
  }
  if (files.length > 0) return files;
  throw new NightmarkError('IMPORT_FOLDER', `${name} is a results folder of asv without a result.`, {
    hint: 'Results are in MACHINE/COMMIT-ENVIRONMENT.json below it: run "asv run" first.',
  });
}

/** Group, function, parameter and "new". */
const CRITERION_DEPTH = 4;

/** The newest estimates of all benchmarks below a folder: GROUP/FUNCTION/PARAMETER/new/estimates.json. */
async function criterionFiles(dir: string, disk: CliContext['disk'], depth = 0): Promise<readonly string[]> {
  const file = joinPath(dir, 'new/estimates.json');
  const found = (await disk.stat(file)) === undefined ? [] : [file];
  if (depth >= CRITERION_DEPTH) return found;
  for (const { name, type } of await disk.list(dir))
    if (type === 'folder' && name !== 'new')
      found.push(...(await criterionFiles(joinPath(dir, name), disk, depth + 1)));
  return found;
}

async function readInput({ stdin }: CliContext): Promise<string> {
  const lines: string[] = [];
  let length = 0;
  for await (const line of stdin ?? []) {
    length += line.length + 1;
    if (length > MAX_BYTES) {
      throw new NightmarkError('DISK_TOO_LARGE', `Standard input is larger than ${MAX_BYTES} bytes.`, {
        hint: 'Give it in several pieces.',
      });
    }
    lines.push(line);
  }
  return lines.join('\n');
}

/**
 * How a commit is filed: under the source that the home has of that name, else under its only source, so that bisect and
 * explanations find the repository; else under the name that the results give it.
 */
export function sourceNames(home: Home | undefined, given: string | undefined): ImportOptions['sourceName'] {
  const ofTask = (experiment?: string) => {
    const tasks = (home?.tasks ?? []).filter(({ name }) => experiment === undefined || name === experiment);
    return [...new Set(tasks.flatMap(({ sources }) => sources.map(({ name }) => name)))];
  };
  const all = ofTask();
  return (experiment, repository) => {
    if (given !== undefined) return given;
    const own = ofTask(experiment);
    const known = own.length > 0 ? own : all;
    if (repository !== undefined && known.includes(repository)) return repository;
    return (known.length === 1 ? known[0] : undefined) ?? repository ?? 'source';
  };
}
