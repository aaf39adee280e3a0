import { analyzeIterations } from '../core/analysis/analyze-iterations.ts';
import type { AnalysisOptions, DuetAnalysis } from '../core/analysis/duet-analysis.ts';
import { type DuetIterations, labelEnvironments } from '../core/duet-iterations.ts';
import type { IterationEffects } from './iteration-effects.ts';
import { readIterationTable } from './read-iteration-table.ts';

export interface AnalyzeRequest {
  /** Tables and folders of results; their runs are joined. */
  readonly sources: readonly string[];
  readonly options: AnalysisOptions;
  /** Also what other estimators say of the same runs. */
  readonly withOthers: boolean;
}

export interface AnalyzedDuets {
  readonly analysis: DuetAnalysis;
  /** What was analysed, for timelines. */
  readonly runs: readonly DuetIterations[];
}

/** Reads iterations and judges them. Runs of different sources are different runs, also where they have one number. */
export async function analyzeDuets(
  { sources, options, withOthers }: AnalyzeRequest,
  effects: IterationEffects,
): Promise<AnalyzedDuets> {
  const read: DuetIterations[] = [];
  const notes: string[] = [];
  for (const source of sources) {
    const table = await readIterationTable(source, effects);
    for (const run of table.runs) read.push(run);
    notes.push(...table.notes);
  }
  const runs = options.compat ? labelEnvironments(read) : read;
  const analysis = analyzeIterations(runs, options, { withOthers });
  return { analysis: { ...analysis, notes: [...notes, ...analysis.notes] }, runs };
}
