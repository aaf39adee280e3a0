import type { CliContext } from '../../platform/cli/context.ts';
import { NightmarkError } from '../../platform/core/errors.ts';
import { drawChartFile } from '../core/file/draw-chart-file.ts';
import { checkChartFile, readChartFile } from '../core/file/read-chart-file.ts';
import type { ChartTask } from './plan-charts.ts';

/** Draws one chart and writes it. The renderer of pictures is loaded when the first one is asked for. */
export async function drawTask(
  { origin, spec, output, format }: ChartTask,
  context: CliContext,
): Promise<void> {
  const file = 'text' in spec ? readChartFile(spec.text, origin) : checkChartFile(spec.content, origin);
  const svg = drawChartFile(file);
  if (format === 'svg') {
    if (output === '-') context.stdout.write(`${svg}\n`);
    else await context.disk.writeText(output, `${svg}\n`);
    return;
  }
  const { default: pictures } = await import('../adapters/pictures/resvg/resvg.ts');
  const bytes = await pictures.png(svg);
  if (output !== '-') return context.disk.writeBytes(output, bytes);
  if (context.stdout.isTerminal) {
    throw new NightmarkError('CHART_OUTPUT', 'A picture would not be readable on a terminal.', {
      hint: 'Name a file: -o chart.png',
    });
  }
  context.stdout.writeBytes?.(bytes);
}
