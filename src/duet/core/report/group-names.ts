import type { GroupAnalysis } from '../duet-analysis.ts';

/** Names groups by what tells them apart: the suite, the way of running and the place only where they differ. */
export function groupNamer(groups: readonly GroupAnalysis[]): (group: GroupAnalysis) => string {
  const differs = (part: (group: GroupAnalysis) => string) => new Set(groups.map(part)).size > 1;
  const hasSuites = differs(({ suite }) => suite);
  const hasTypes = differs(({ type }) => type);
  const hasPlaces = differs(({ environment }) => environment);
  return ({ suite, benchmark, type, environment }) => {
    const name = hasSuites ? `${suite}/${benchmark}` : benchmark;
    const more = [...(hasTypes ? [type] : []), ...(hasPlaces ? [environment] : [])];
    return more.length === 0 ? name : `${name} (${more.join(', ')})`;
  };
}
