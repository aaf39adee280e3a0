import type { CliContext } from '../../../platform/cli/context.ts';
import { NightmarkError } from '../../../platform/core/errors.ts';
import { resolvePath } from '../../../platform/core/path.ts';
import { readLineBlocks } from '../../../platform/core/text/read-lines.ts';
import { type SeriesText, SeriesTextReader } from '../../core/changes/parse-series.ts';

const MAX_LINE_BYTES = 1024 * 1024;

/** A series from a file of any length; only its numbers are kept. */
export async function readSeriesFile(
  file: string,
  column: string | undefined,
  { cwd, disk }: CliContext,
): Promise<SeriesText> {
  const chunks = await disk.readChunks(resolvePath(cwd, file));
  if (!chunks) throw new NightmarkError('CHANGES_NOTHING_THERE', `There is no ${file}.`);
  const reader = new SeriesTextReader(file, column);
  const onCut = () => {
    throw new NightmarkError('CHANGES_NOT_A_NUMBER', `${file} has a line longer than a megabyte.`, {
      hint: 'Is it a text file? Write one number a line, or a table with commas.',
    });
  };
  for await (const block of readLineBlocks(chunks, MAX_LINE_BYTES, onCut)) {
    for (const line of block) reader.push(line);
  }
  return reader.finish();
}

export async function readSeriesInput(
  column: string | undefined,
  { stdin }: CliContext,
): Promise<SeriesText> {
  const reader = new SeriesTextReader('standard input', column);
  if (stdin) for await (const line of stdin) reader.push(line);
  return reader.finish();
}
