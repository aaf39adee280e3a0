/** What experiments may import from "nightmark/kit". */
export type { BarFile, ChartFile, GroupedBarFile, LineFile } from '../charts/core/file/chart-file.ts';
export {
  type CheckedConfig,
  type Condition,
  type ConfigRules,
  checkConfig,
  isBoolean,
  isString,
  matchValues,
  nonNegative,
} from './core/check-config.ts';
export { atPath, type DataEntry, type DataValue, seriesAt, timestampMs } from './core/data-series.ts';
export type { Prerequisite, Prerequisites } from './core/prerequisites.ts';
export { type Parameter, summarizeTimes, type TimeSummary } from './core/trial-table.ts';
export { checkPrerequisites, type DashboardInfo, dashboardInfo } from './dashboard-info.ts';
export {
  readConfig,
  readJsonObject,
  sortData,
  timestamp,
  writeData,
  writeJson,
  writeStatus,
  writeSummary,
} from './stage-files.ts';
export { type AnalyzeRequest, analyzeTrials, runTrials, type TrialPlan, type TrialsDone } from './trials.ts';
export { writeChart } from './write-chart.ts';
