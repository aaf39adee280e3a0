import type { ComponentChildren } from 'preact';
import type { Loaded } from '../data/use-document.ts';
import { Loading, Problem } from './states-of-page.tsx';

interface ShowProps<T> {
  readonly loaded: Loaded<T>;
  readonly height?: number;
  readonly children: (value: T) => ComponentChildren;
}

/** A document once it is there; before that its place, and what went wrong where something did. */
export function Show<T>({ loaded, height, children }: ShowProps<T>) {
  const { value, problem } = loaded;
  if (value === undefined) {
    return problem ? <Problem problem={problem} /> : <Loading {...(height !== undefined && { height })} />;
  }
  return (
    <>
      {problem && (
        <p class="stale" role="status">
          What you see is not the newest: {problem.message}{' '}
          {problem.status === 401 && <a href="/login">Log in</a>}
        </p>
      )}
      {children(value)}
    </>
  );
}
