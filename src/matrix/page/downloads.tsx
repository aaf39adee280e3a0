import { useState } from 'preact/hooks';
import { theSource } from '../../platform/page/data/source.ts';
import type { StoredTests } from '../app/read-stored-tests.ts';
import { entriesCsv, pivotCsv } from '../core/explorer/entries-csv.ts';
import { exploreChart } from '../core/explorer/explore-chart.ts';
import { pivotOf } from '../core/explorer/pivot.ts';
import type { ExplorerView } from '../core/explorer/suggest-view.ts';

interface DownloadsProps {
  readonly tests: StoredTests;
  readonly view: ExplorerView;
  readonly query: string;
}

/** The chart as a picture, its table, all tests, and a link to this view. */
export function Downloads({ tests, view, query }: DownloadsProps) {
  return (
    <p class="downloads take-along">
      <span class="quiet">Download:</span>
      {theSource().isLive ? <FromServer query={query} /> : <MadeHere tests={tests} view={view} />}
      <CopyLink />
    </p>
  );
}

const FILES = [
  ['chart.png', 'PNG'],
  ['chart.svg', 'SVG'],
  ['pivot.csv', 'CSV of the means'],
  ['entries.csv', 'CSV of the tests'],
] as const;

function FromServer({ query }: { readonly query: string }) {
  return (
    <>
      {FILES.map(([file, text]) => (
        <a key={file} href={`/api/matrix/${file}${query === '' ? '' : `?${query}`}`} download>
          {text}
        </a>
      ))}
    </>
  );
}

/** A static site has no server: the files are made in the browser. */
function MadeHere({ tests, view }: Omit<DownloadsProps, 'query'>) {
  const svg = async () => {
    const { chartSvg } = await import('../../charts/core/chart-svg.ts');
    save('chart.svg', 'image/svg+xml', chartSvg(exploreChart(view)));
  };
  return (
    <>
      <button type="button" class="small" onClick={svg}>
        SVG
      </button>
      <button
        type="button"
        class="small"
        onClick={() => save('means.csv', 'text/csv', pivotCsv(pivotOf(view)))}
      >
        CSV of the means
      </button>
      <button
        type="button"
        class="small"
        onClick={() => save('tests.csv', 'text/csv', entriesCsv(tests, view.selection.rows))}
      >
        CSV of the tests
      </button>
    </>
  );
}

function save(name: string, type: string, text: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob([text], { type }));
  link.download = name;
  link.click();
  URL.revokeObjectURL(link.href);
}

function CopyLink() {
  const [isCopied, setCopied] = useState(false);
  if (!('clipboard' in navigator)) return null;
  const copy = async () => {
    await navigator.clipboard.writeText(location.href);
    setCopied(true);
    setTimeout(() => setCopied(false), 1500);
  };
  return (
    <button type="button" class="small" onClick={copy}>
      {isCopied ? 'copied' : 'copy link'}
    </button>
  );
}
