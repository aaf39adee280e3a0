import type { MadeReport } from '../../app/report/make-report.ts';
import { NightmarkError } from '../../core/errors.ts';
import { dirName, joinPath } from '../../core/path.ts';
import type { PictureMaker } from '../../core/ports/picture-maker.ts';
import { loadAdapter } from '../adapters.ts';
import type { CliContext } from '../context.ts';

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

/** `output`: a path, or "-" for stdout. */
export async function writeReport(report: MadeReport, output: string, context: CliContext): Promise<void> {
  const { disk, stdout } = context;
  if (output !== '-') {
    await disk.makeDir(dirName(output));
    return report.format === 'pdf'
      ? disk.writeBytes(output, report.bytes)
      : disk.writeText(output, report.text);
  }
  if (report.format !== 'pdf') return stdout.write(report.text);
  if (stdout.isTerminal) {
    throw new NightmarkError('REPORT_OUTPUT', 'A PDF would not be readable on a terminal.', {
      hint: 'Name a file: -o report.pdf',
    });
  }
  stdout.writeBytes?.(report.bytes);
}
