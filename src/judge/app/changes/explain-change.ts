import { windowSeries } from '../../core/explain/explained-series.ts';
import type { Explanation } from '../../core/explain/explanation.ts';
import { explanationSentence } from '../../core/explain/explanation-text.ts';
import { factColumns, isTelling } from '../../core/explain/flat-facts.ts';
import { rankCauses } from '../../core/explain/rank-causes.ts';
import type { ExplainEffects, ExplainInput } from './explain-effects.ts';
import { payloadFacts } from './explain-payloads.ts';
import { runFacts } from './explain-runs.ts';
import { sourceChanges } from './explain-sources.ts';

/** Points around a change that facts are gathered for: more than five years of nights. */
const MAX_POINTS = 2_000;

/** What else changed where a series changed, from all that a home has recorded, ranked by how well it splits the series. */
export async function explainChange(input: ExplainInput, effects: ExplainEffects): Promise<Explanation> {
  const { start, series } = windowSeries(input, MAX_POINTS);
  const runIds = input.runIds.slice(start, start + series.values.length);
  const request = { home: input.home, runIds, at: series.change.index };
  const { facts, notes } =
    input.series.kind === 'kpi'
      ? await payloadFacts(request, effects)
      : await runFacts({ ...request, experiment: input.series.experiment }, effects);
  const columns = factColumns(facts).filter(isTelling);
  const ranked = rankCauses(series, columns);
  const sources = await sourceChanges(input.home, ranked.causes, effects);
  return {
    ...ranked,
    sentence: explanationSentence(ranked, sources.changes),
    sources: sources.changes,
    points: runIds.length,
    notes: [...notes, ...sources.notes],
  };
}
