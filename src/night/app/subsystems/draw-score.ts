import type { ChartFile } from '../../../charts/core/file/chart-file.ts';
import { drawChartFile } from '../../../charts/core/file/draw-chart-file.ts';
import { joinPath } from '../../../platform/core/path.ts';
import type { Score } from '../../core/subsystems/score.ts';
import { itemsChart, lastTwoWeeks, type ScoreEntry, scoreChart } from '../../core/subsystems/score-charts.ts';
import type { ScoreRule } from '../../core/subsystems/score-rules.ts';
import { readDataFiles } from './read-data.ts';
import type { SubsystemWork } from './work.ts';

/** The graphs of a score, drawn anew: its values, and how it went over all nights and the last two weeks. */
export async function drawScore(rule: ScoreRule, score: Score, work: SubsystemWork): Promise<void> {
  const { disk, output, tools } = work;
  const dir = joinPath(output, 'graphs', rule.name);
  await disk.remove(dir);
  const pictures = await tools.openPictures();
  const draw = async (path: string, chart: ChartFile) =>
    disk.writeBytes(joinPath(dir, path), await pictures.png(drawChartFile(chart)));
  const files = await readDataFiles(joinPath(output, 'data', rule.name), disk);
  const entries = files.flatMap(({ entry }) => (isScore(entry) ? [entry] : []));
  await draw(`comparison/${rule.name}.png`, itemsChart(rule, score));
  await draw('all_time/longitudinal-score.png', scoreChart(rule, entries));
  await draw('two_weeks/longitudinal-score.png', scoreChart(rule, lastTwoWeeks(entries)));
}

function isScore(entry: object): entry is ScoreEntry {
  const { Score: score, Total: total } = entry as Partial<ScoreEntry>;
  return typeof score === 'number' && typeof total === 'number' && total > 0;
}
