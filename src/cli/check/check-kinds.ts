import { readDuetFile } from '../../duet/config/read-duet-file.ts';
import { planTests } from '../../home/core/sweep/plan-tests.ts';
import { loadWorkload } from '../../matrix/cli/load-workload.ts';
import { readMatbenchFile } from '../../matrix/config/matbench-file.ts';
import { readPlotsFile } from '../../matrix/config/plots-file.ts';
import { readMatrixFile } from '../../matrix/config/read-matrix-file.ts';
import { readUrlFile } from '../../matrix/config/url-file.ts';
import { readWorkloadFile } from '../../matrix/config/workload/workload-file.ts';
import { selectExperiments } from '../../matrix/core/select-experiments.ts';
import type { CliContext } from '../../platform/cli/context.ts';
import type { Problem } from '../../platform/core/problem.ts';
import { counted } from '../../platform/core/text/numbers.ts';
import { checkPlaces } from './check-places.ts';
import type { FileKind } from './recognize-file.ts';

export interface Checked {
  readonly problems: readonly Problem[];
  /** What was understood, in a few words. */
  readonly seen: string;
}

/** Reads a file as what it is; throws, or tells, what is wrong with it. */
export function checkKind(kind: FileKind, file: string, context: CliContext): Promise<Checked> {
  return KINDS[kind](file, context);
}

/** A module says what it is only when it is loaded. */
export async function checkModule(file: string, context: CliContext): Promise<Checked> {
  const { kpis } = await loadWorkload(file, context);
  return { problems: [], seen: `a workload with ${counted(kpis.length, 'KPI')}` };
}

const KINDS: Readonly<Record<FileKind, (file: string, context: CliContext) => Promise<Checked>>> = {
  async duet(file, context) {
    const reading = await readDuetFile(file, context);
    const seen =
      reading.state === 'usable'
        ? `${reading.suite.name}: ${reading.suite.benchmarks.length} duets`
        : 'duets';
    return { problems: reading.problems, seen };
  },
  async matbench(file, context) {
    const { block, warnings } = await readMatbenchFile(file, context);
    return { problems: warnings, seen: `a matbench block for the workload ${block.workload}` };
  },
  async plots(file, context) {
    const entries = await readPlotsFile(file, context);
    const plots = entries.flatMap(({ generate, filters }) => filters.flatMap(() => generate));
    return { problems: [], seen: `${counted(plots.length, 'plot')} to draw` };
  },
  async urls(file, context) {
    const entries = await readUrlFile(file, context);
    return { problems: [], seen: `${counted(entries.length, 'tree')} to fetch` };
  },
  async workload(file, context) {
    const { workload, problems } = await readWorkloadFile(file, context);
    const { name, fields, kpis } = workload;
    return {
      problems,
      seen: `workload ${name}: ${counted(fields.length, 'field')}, ${counted(kpis.length, 'KPI')}`,
    };
  },
  async matrix(file, context) {
    const reading = await readMatrixFile(file, { cwd: context.cwd }, context);
    if (reading.state === 'unusable') return { problems: reading.problems, seen: 'a matrix' };
    const { definition, problems } = reading;
    const { tests } = planTests(definition, selectExperiments(definition).experiments);
    const missing = await checkPlaces(file, definition.at ? [definition.at] : []);
    return { problems: [...problems, ...missing], seen: `a matrix of ${counted(tests.length, 'test')}` };
  },
};
