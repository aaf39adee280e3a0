import type { ComponentChildren } from 'preact';
import { useEffect } from 'preact/hooks';
import { type SourceProblem, theSource } from '../data/source.ts';
import type { Loaded } from '../data/use-document.ts';
import { Command } from './display.tsx';

interface PageFrameProps {
  /** Of the browser's tab and of the page, unless `heading` says it better. */
  readonly title: string;
  readonly heading?: ComponentChildren;
  /** The answer, in a sentence: it stands before everything else. */
  readonly lead?: ComponentChildren;
  /** Address of the page's facts below /api, and of a table of them. */
  readonly json?: string;
  readonly csv?: string;
  readonly children?: ComponentChildren;
}

/** What every page has: its title, the answer in a sentence, and its data one click away. */
export function PageFrame({ title, heading, lead, json, csv, children }: PageFrameProps) {
  useEffect(() => {
    document.title = `${title} · Nightmark`;
  }, [title]);
  const { isLive } = theSource();
  return (
    <>
      <div class="head">
        <h1>{heading ?? title}</h1>
        {isLive && (json !== undefined || csv !== undefined) && (
          <p class="downloads">
            {json !== undefined && <a href={`/api/${json}`}>JSON</a>}
            {csv !== undefined && <a href={`/api/${csv}`}>CSV</a>}
          </p>
        )}
      </div>
      {lead !== undefined && <p class="lead">{lead}</p>}
      {children}
    </>
  );
}

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
