import type { ChartFile } from '../core/chart-file/chart-file.ts';
import { drawChartFile } from '../core/chart-file/draw-chart-file.ts';
import { checkChartFile } from '../core/chart-file/read-chart-file.ts';
import { writeWhole } from './files.ts';

/** Draws a chart into FILE.svg or FILE.png; folders are made. */
export async function writeChart(path: string, chart: ChartFile): Promise<void> {
  const svg = drawChartFile(checkChartFile(chart, path));
  if (!path.endsWith('.png')) return writeWhole(path, `${svg}\n`);
  const { default: pictures } = await import('../adapters/pictures/resvg/index.ts');
  writeWhole(path, await pictures.png(svg));
}
