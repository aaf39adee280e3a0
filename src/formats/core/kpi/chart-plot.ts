import type { PlotPart } from '../../../charts/core/chart.ts';
import type { MatrixEntry, SettingList, Settings } from './matrix.ts';

/** A plot of a workload: shapes entries into a table, then describes charts. */
export interface ChartPlot {
  readonly name: string;
  readonly id: string;
  /** A report may hold several charts and text; a plot holds one. */
  readonly isReport: boolean;
  draw(request: PlotRequest): readonly PlotPart[];
}

export interface PlotRequest {
  /** The selected entries, in the order of the axes. */
  readonly entries: readonly MatrixEntry[];
  readonly all: readonly MatrixEntry[];
  /** Settings with one chosen value. */
  readonly settings: Settings;
  readonly settingLists: readonly SettingList[];
  /** Settings that vary, with their values; `orderedVars` says in which order. */
  readonly variables: Readonly<Record<string, readonly unknown[]>>;
  readonly orderedVars: readonly string[];
  readonly cfg: Readonly<Record<string, string | number>>;
}
