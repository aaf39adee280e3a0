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
  const [base, head] = [await readSide(first, context), await readSide(second, context)];
  if (base && head) return { base, head };
  if (!base && !head) return undefined;
  const [there, missing] = base ? [first, second] : [second, first];
  throw new NightmarkError('COMPARE_ONE_FILE', `${there} is a file or folder, and ${missing} is none.`, {
    hint: 'Compare two files, or two runs of a home; "nightmark import" makes runs of files.',
  });
}

async function readSide(
  word: string,
  { cwd, disk }: Pick<CliContext, 'cwd' | 'disk'>,
): Promise<FileSide | undefined> {
  const path = resolvePath(cwd, word);
  const facts = await disk.stat(path);
  if (facts === undefined || facts.type === 'other') return undefined;
  const names =
    facts.type === 'file'
      ? [path]
      : (await disk.list(path))
          .filter(({ type, name }) => type === 'file' && !name.startsWith('.'))
          .map(({ name }) => joinPath(path, name))
          .sort();
  const files: ResultText[] = [];
  for (const file of names) {
    const text = await disk.readText(file, { maxBytes: MAX_BYTES });
    const name = facts.type === 'file' ? word : joinPath(word, file.slice(path.length + 1));
    if (text !== undefined) files.push({ name, text });
  }
  if (files.length > 0) return { asked: word, files };
  throw new NightmarkError('COMPARE_NO_FILES', `${word} has no files in it.`, {
    hint: 'A folder holds result files, one of each run; folders below it are not read.',
  });
}
