/** What a workload module may import from "nightmark/workload". */
export type { MatrixEntry, Settings } from '../../formats/core/kpi/matrix-entry.ts';
export type { ChartPlot, TestFiles, Workload } from '../../formats/core/kpi/workload.ts';
export { parseQuantity } from '../core/workload/convert-value.ts';
export { defineWorkload, type ModuleKpi, type ModuleTest, type WorkloadModule } from './define-workload.ts';
export type { ReadOptions, TestReader } from './test-reader.ts';
