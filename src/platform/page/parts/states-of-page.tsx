import type { ComponentChildren } from 'preact';
import type { SourceProblem } from '../data/source.ts';
import { Command } from './command.tsx';

/** What would be here, and the command that brings it. */
export function Empty({
  children,
  command,
}: {
  readonly children: ComponentChildren;
  readonly command?: string;
}) {
  return (
    <div class="calm">
      <p>{children}</p>
      {command !== undefined && (
        <p>
          <Command text={command} />
        </p>
      )}
    </div>
  );
}

/** What went wrong, and what to do. */
export function Problem({ problem }: { readonly problem: SourceProblem }) {
  return (
    <div class="problem" role="alert">
      <p>
        <strong>{problem.status === 404 ? 'There is nothing here.' : 'This could not be shown.'}</strong>{' '}
        {problem.message}
      </p>
      {problem.hint !== '' && <p>{problem.hint}</p>}
      {problem.status === 401 && (
        <p>
          <a href="/login">Log in</a>
        </p>
      )}
    </div>
  );
}

/** Keeps the place of what is being fetched. */
export function Loading({ height = 240 }: { readonly height?: number }) {
  return (
    <div class="loading" style={{ minHeight: `${height}px` }} aria-busy="true">
      <span class="quiet">loading …</span>
    </div>
  );
}
