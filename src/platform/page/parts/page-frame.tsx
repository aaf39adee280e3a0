import type { ComponentChildren } from 'preact';
import { useEffect } from 'preact/hooks';
import { theSource } from '../data/source.ts';

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
