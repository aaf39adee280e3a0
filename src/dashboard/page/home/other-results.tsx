import type { MatrixFacts } from '../../../matrix/app/read-stored-tests.ts';
import { counted } from '../../../platform/core/text/numbers.ts';
import { documentRef, theSource } from '../../../platform/page/data/source.ts';
import { useDocument } from '../../../platform/page/data/use-document.ts';
import { Link } from '../../../platform/page/router/link.tsx';

interface ServerFacts {
  readonly points?: { readonly points: number };
  readonly jobs?: { readonly counts: Readonly<Record<string, number>> };
}

/** A home without a night may be full of other things: how many there are, and where. */
export function OtherResults() {
  const { isLive } = theSource();
  const { value: server } = useDocument(
    isLive ? documentRef<ServerFacts>(['server'], { topic: 'jobs' }) : undefined,
  );
  const { value: matrix } = useDocument(documentRef<MatrixFacts>(['matrix'], { topic: 'runs' }));
  const { value: duets } = useDocument(
    documentRef<{ readonly duets: readonly unknown[] }>(['duets'], { topic: 'runs' }),
  );
  const jobs = Object.values(server?.jobs?.counts ?? {}).reduce((sum, count) => sum + count, 0);
  const places: readonly (readonly [place: string, count: number, one: string, many?: string])[] = [
    ['/jobs', jobs, 'job'],
    ['/points', server?.points?.points ?? 0, 'point of time series', 'points of time series'],
    ['/duets', duets?.duets.length ?? 0, 'duet'],
    ['/matrix', matrix?.tests ?? 0, 'test of a matrix', 'tests of matrices'],
  ];
  const there = places.filter(([, count]) => count > 0);
  if (there.length === 0) return null;
  return (
    <section aria-labelledby="others">
      <h2 id="others">What is here</h2>
      <ul>
        {there.map(([place, count, one, many]) => (
          <li key={place}>
            <Link to={place}>{counted(count, one, many)}</Link>
          </li>
        ))}
      </ul>
    </section>
  );
}
