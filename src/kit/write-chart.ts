import type { ChartFile } from '../charts/core/file/chart-file.ts';
import { drawChartFile } from '../charts/core/file/draw-chart-file.ts';
import { checkChartFile } from '../charts/core/file/read-chart-file.ts';
import { writeWhole } from './stage-files.ts';

/** Draws a chart into FILE.svg or FILE.png; folders are created. */
export async function writeChart(path: string, chart: ChartFile): Promise<void> {
  const svg = drawChartFile(checkChartFile(chart, path));
  if (!path.endsWith('.png')) return writeWhole(path, `${svg}\n`);
  const { resvg } = await import('../charts/adapters/resvg.ts');
  writeWhole(path, await resvg.png(svg));
}
