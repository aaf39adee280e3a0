import { Link } from '../router/link.tsx';
import { setParameters, useParameter } from '../router/use-address.ts';

/** Two clicks compare two runs of a table: one chooses the first, the second leads to the comparison. */
export function ComparePick({ runId }: { readonly runId: string }) {
  const [base] = useParameter('base');
  if (base !== undefined && base !== runId) return <Link to={comparePlace(base, runId)}>compare</Link>;
  const isBase = base === runId;
  return (
    <button
      type="button"
      class="small"
      aria-pressed={isBase}
      title={isBase ? 'Chosen: click “compare” beside another run' : 'Choose it, then another one'}
      onClick={() => setParameters({ base: isBase ? undefined : runId })}
    >
      {isBase ? 'chosen' : 'compare'}
    </button>
  );
}

/** The older one is the base, whichever was chosen first: ids sort by time. */
export function comparePlace(one: string, other: string): string {
  const [base, head] = one < other ? [one, other] : [other, one];
  return `/compare/${encodeURIComponent(base)}..${encodeURIComponent(head)}`;
}
