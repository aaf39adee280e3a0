/** What a workload module may import from "nightmark/workload". */
export type { ChartPlot } from '../core/model/chart.ts';
export type { MatrixEntry, Settings } from '../core/model/matrix.ts';
export type { TestFiles, Workload } from '../core/ports/workload.ts';
export { parseQuantity } from '../core/workload/quantity.ts';
export { defineWorkload, type ModuleKpi, type ModuleTest, type WorkloadModule } from './define-workload.ts';
export type { ReadOptions, TestReader } from './test-reader.ts';
