import { useEffect, useState } from 'preact/hooks';
import { onConnection } from '../data/news.ts';
import { Minute } from './moment.tsx';

/** Says that what is shown may be old, while nothing is heard of the server. */
export function Connection() {
  const [since, setSince] = useState<number>();
  useEffect(() => onConnection(setSince), []);
  return (
    <div role="status">
      {since !== undefined && (
        <p class="stale">
          The server does not answer: what you see is of <Minute at={since} />. The page asks again by itself.
        </p>
      )}
    </div>
  );
}
