/** What a workload module may import from "nightmark/workload". */
export type { ChartPlot } from '../../formats/core/kpi/chart-plot.ts';
export type { MatrixEntry, Settings } from '../../formats/core/kpi/matrix.ts';
export type { TestFiles, Workload } from '../../formats/core/kpi/workload.ts';
export { parseQuantity } from '../core/workload/convert-value.ts';
export { defineWorkload, type ModuleKpi, type ModuleTest, type WorkloadModule } from './define-workload.ts';
export type { ReadOptions, TestReader } from './test-reader.ts';
