import { useEffect, useState } from 'preact/hooks';
import { onConnection } from '../data/news.ts';
import { SourceProblem, theSource } from '../data/source.ts';
import { Minute } from './moment.tsx';

/** Says that what is shown may be old, while nothing is heard of the server, and why. */
export function Connection() {
  const [since, setSince] = useState<number>();
  const [isLocked, setLocked] = useState(false);
  useEffect(() => onConnection(setSince), []);
  useEffect(() => {
    setLocked(false);
    if (since === undefined) return;
    const control = new AbortController();
    theSource()
      .json('session', control.signal)
      .catch((error: unknown) => setLocked(error instanceof SourceProblem && error.status === 401));
    return () => control.abort();
  }, [since]);
  return (
    <div role="status">
      {since !== undefined && (
        <p class="stale">
          {isLocked ? 'The token of this page is good no more' : 'The server does not answer'}: what you see
          is of <Minute at={since} />.{' '}
          {isLocked ? <a href="/login">Log in again</a> : 'The page asks again by itself.'}
        </p>
      )}
    </div>
  );
}
