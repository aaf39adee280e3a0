import type { PictureMaker } from '../../../charts/core/picture-maker.ts';
import { loadAdapter } from '../../../platform/cli/adapters.ts';
import type { CliContext } from '../../../platform/cli/command.ts';
import { NightmarkError } from '../../../platform/core/errors.ts';
import { dirName, joinPath } from '../../../platform/core/path.ts';
import type { MadeReport } from '../../app/report/make-report.ts';
import { printPdf } from './print-pdf.ts';
import type { ReportFormat } from './report-options.ts';

/** Writes the charts of a report as SVG and PNG; the files that it wrote. */
export async function writeFigures(
  { figures }: Pick<MadeReport, 'figures'>,
  folder: string,
  { disk }: CliContext,
): Promise<readonly string[]> {
  if (figures.length === 0) return [];
  const pictures = await loadAdapter<PictureMaker>('pictures', 'resvg');
  await disk.makeDir(folder);
  const written: string[] = [];
  for (const { name, svg } of figures) {
    const file = joinPath(folder, name);
    await disk.writeText(`${file}.svg`, `${svg}\n`);
    await disk.writeBytes(`${file}.png`, await pictures.png(svg, { scale: 2 }));
    written.push(`${file}.svg`, `${file}.png`);
  }
  return written;
}

/** What goes into the file: the text of the report, or the page as it is printed. `output`: a path, or "-" for stdout. */
export async function contentOf(
  text: string,
  { format, output }: { readonly format: ReportFormat; readonly output: string },
  context: CliContext,
): Promise<string | Uint8Array> {
  if (format !== 'pdf') return text;
  if (output === '-' && context.stdout.isTerminal) {
    throw new NightmarkError('REPORT_OUTPUT', 'A PDF would not be readable on a terminal.', {
      hint: 'Name a file: -o report.pdf',
    });
  }
  return printPdf(text, context);
}

export async function writeContent(
  content: string | Uint8Array,
  output: string,
  { disk, stdout }: CliContext,
): Promise<void> {
  if (output === '-')
    return typeof content === 'string' ? stdout.write(content) : stdout.writeBytes?.(content);
  await disk.makeDir(dirName(output));
  return typeof content === 'string' ? disk.writeText(output, content) : disk.writeBytes(output, content);
}
