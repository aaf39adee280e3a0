import type { CliContext } from '../../../platform/cli/command.ts';
import { NightmarkError } from '../../../platform/core/errors.ts';
import { joinPath, resolvePath } from '../../../platform/core/path.ts';
import type { FileSide, ResultText } from '../../app/compare/compare-files.ts';

/** As for imports: more is a log, and would not fit into memory once parsed. */
const MAX_BYTES = 256 * 1024 * 1024;

/** Two files or folders with results; undefined where neither word names one, so that they are sides of a home. */
export async function fileSides(
  words: readonly string[],
  context: Pick<CliContext, 'cwd' | 'disk'>,
): Promise<{ readonly base: FileSide; readonly head: FileSide } | undefined> {
  const [first, second] = words;
  if (first === undefined || second === undefined) return undefined;
  const [base, head] = [await isThere(first, context), await isThere(second, context)];
  if (base && head) return { base: await readSide(first, context), head: await readSide(second, context) };
  const [there, missing] = base ? [first, second] : [second, first];
  // A folder may have the name of a side, such as "latest": only what is written like a file is taken for one.
  if (base === head || !/\.[a-z]\w*$/i.test(missing)) return undefined;
  throw new NightmarkError('COMPARE_ONE_FILE', `${there} is a file or folder, and ${missing} is none.`, {
    hint: 'Compare two files, or two runs of a home; "nightmark import" makes runs of files.',
  });
}

async function isThere(word: string, { cwd, disk }: Pick<CliContext, 'cwd' | 'disk'>): Promise<boolean> {
  const facts = await disk.stat(resolvePath(cwd, word));
  return facts !== undefined && facts.type !== 'other';
}

async function readSide(word: string, { cwd, disk }: Pick<CliContext, 'cwd' | 'disk'>): Promise<FileSide> {
  const path = resolvePath(cwd, word);
  const isFile = (await disk.stat(path))?.type === 'file';
  const names = isFile
    ? [path]
    : (await disk.list(path))
        .filter(({ type, name }) => type === 'file' && !name.startsWith('.'))
        .map(({ name }) => joinPath(path, name))
        .sort();
  const files: ResultText[] = [];
  for (const file of names) {
    const text = await disk.readText(file, { maxBytes: MAX_BYTES });
    const name = isFile ? word : joinPath(word, file.slice(path.length + 1));
    if (text !== undefined) files.push({ name, text });
  }
  if (files.length > 0) return { asked: word, files };
  throw new NightmarkError('COMPARE_NO_FILES', `${word} has no files in it.`, {
    hint: 'A folder holds result files, one of each run; folders below it are not read.',
  });
}
