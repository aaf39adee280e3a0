import type { ChartPlot, PlotRequest } from '../../formats/core/kpi/workload.ts';
import type { CancelSignal } from '../../platform/core/cancel-signal.ts';
import { NightmarkError } from '../../platform/core/errors.ts';
import { joinPath } from '../../platform/core/path.ts';
import { failed, ok, type Result } from '../../platform/core/result.ts';
import { passesFilters } from '../core/filters.ts';
import { buildMatrix, type Matrix } from '../core/matrix.ts';
import type { PlotGroup } from '../core/plots/plot-query.ts';
import { type Drawn, indexPage } from '../core/plots/report-index.ts';
import { selectRecords } from '../core/plots/select-records.ts';
import { findPlot } from '../core/plots/workload-plots.ts';
import { type DrawEffects, drawPlot, type FigureFormat, reasonOf } from './draw-plot.ts';

export interface DrawRequest {
  readonly matrix: Matrix;
  readonly plots: readonly ChartPlot[];
  readonly groups: readonly PlotGroup[];
  /** Absolute. */
  readonly dir: string;
  readonly title: string;
  readonly formats: readonly FigureFormat[];
  readonly isCompat: boolean;
}

export interface DrawnGroup {
  readonly folder: string;
  readonly drawn: readonly Drawn[];
}

export const INDEX = 'reports_index.html';

/** Draws every plot of every group; a failed one does not stop the others. */
export async function drawReports(
  request: DrawRequest,
  effects: DrawEffects & { readonly signal: CancelSignal },
): Promise<readonly DrawnGroup[]> {
  const groups: DrawnGroup[] = [];
  for (const group of request.groups) {
    groups.push({ folder: group.folder, drawn: await drawGroup(group, request, effects) });
  }
  const { dir, title } = request;
  const below = groups.filter(({ folder }) => folder !== '');
  const folders = below.map(({ folder }) => ({ name: folder, index: `${folder}/${INDEX}` }));
  for (const { folder, drawn } of below) {
    const page = indexPage({ title: `${title}: ${folder}`, drawn, folders: [] });
    await effects.disk.writeText(joinPath(dir, folder, INDEX), page);
  }
  const own = groups.filter(({ folder }) => folder === '').flatMap(({ drawn }) => drawn);
  await effects.disk.writeText(joinPath(dir, INDEX), indexPage({ title, drawn: own, folders }));
  return groups;
}

async function drawGroup(
  group: PlotGroup,
  { matrix, plots, dir, formats, isCompat }: DrawRequest,
  effects: DrawEffects & { readonly signal: CancelSignal },
): Promise<readonly Drawn[]> {
  const selected = select(group, matrix, isCompat);
  const drawn: Drawn[] = [];
  for (const [index, wanted] of group.query.stats.entries()) {
    if (effects.signal.aborted) throw interrupted();
    try {
      const plot = findPlot(plots, wanted);
      if (!selected.ok) throw new NightmarkError('CHART_NO_ENTRIES', selected.error);
      const place = { dir: joinPath(dir, group.folder), index, formats };
      drawn.push(await drawPlot(plot, { request: selected.value, place }, effects));
    } catch (error) {
      if (!(error instanceof NightmarkError) || error.code.startsWith('DISK_')) throw error;
      drawn.push({ plot: wanted, files: [], problems: [reasonOf(error)] });
    }
  }
  return drawn;
}

/** The data of the plots of a group, or why there is none. */
function select(
  { filter, filters, query }: PlotGroup,
  matrix: Matrix,
  isCompat: boolean,
): Result<PlotRequest> {
  const passing = matrix.entries.filter(
    ({ settings, importSettings }) =>
      passesFilters(importSettings, filters, isCompat) && passesFilters(settings, filters, isCompat),
  );
  if (passing.length === 0) return failed(`No entry passes the filter ${filter}.`);
  try {
    const request = selectRecords(filters.size === 0 ? matrix : buildMatrix(passing), query);
    return request.entries.length === 0 ? failed('No entry has all of the chosen settings.') : ok(request);
  } catch (error) {
    if (!(error instanceof NightmarkError)) throw error;
    return failed(reasonOf(error));
  }
}

function interrupted(): NightmarkError {
  return new NightmarkError('MATRIX_INTERRUPTED', 'Drawing was interrupted.', {
    hint: 'What was drawn is complete; the same command draws the rest.',
  });
}
