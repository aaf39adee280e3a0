import type { ComponentChildren } from 'preact';
import { useDocumentExists } from '../platform/page/data/file-address.ts';
import { theSource } from '../platform/page/data/source.ts';
import { KeysHelp } from '../platform/page/parts/keys-help.tsx';
import { Connection, SessionNote, ThemeButton } from '../platform/page/parts/shell-status.tsx';
import { Link } from '../platform/page/router/link.tsx';
import { SiteNote } from '../publish/page/site-note.tsx';

/** Live ones need a server, others a document that a static site may not have. */
const PLACES: readonly (readonly [place: string, name: string, needs?: 'live' | 'jobs'])[] = [
  ['/', 'Home'],
  ['/runs', 'Runs'],
  ['/changes', 'Changes'],
  ['/compare', 'Compare'],
  ['/duets', 'Duets'],
  ['/matrix', 'Matrix'],
  ['/curves', 'Curves'],
  ['/jobs', 'Jobs', 'jobs'],
  ['/points', 'Points', 'live'],
  ['/machines', 'Machines'],
  ['/server', 'Server', 'live'],
];

/** The line on top and below: where one is, and where one can go. */
export function Layout({ path, children }: { readonly path: string; readonly children: ComponentChildren }) {
  const isHere = (place: string) =>
    place === '/' ? path === '/' || path.startsWith('/experiments') : path.startsWith(place);
  const { isLive } = theSource();
  const hasJobs = useDocumentExists('jobs');
  const isOpen = (needs?: 'live' | 'jobs') => needs === undefined || isLive || (needs === 'jobs' && hasJobs);
  return (
    <>
      <button type="button" class="skip" onClick={skip}>
        To the content
      </button>
      <header>
        <nav aria-label="Pages">
          <Link to="/" class="mark">
            nightmark
          </Link>
          {PLACES.filter(([, , needs]) => isOpen(needs)).map(([place, name]) => (
            <Link key={place} to={place} {...(isHere(place) && { 'aria-current': 'page' as const })}>
              {name}
            </Link>
          ))}
          <ThemeButton />
        </nav>
      </header>
      {isLive ? <Connection /> : <SiteNote />}
      <main id="main" tabIndex={-1}>
        {children}
      </main>
      <footer>
        {isLive ? (
          <>
            <a href="/api/docs">API</a> <KeysHelp /> <SessionNote />
          </>
        ) : (
          <>
            A static copy: it changes with the next publication. <KeysHelp />
          </>
        )}
      </footer>
    </>
  );
}

/** No link: behind "#" a static site has its addresses. */
function skip(): void {
  document.getElementById('main')?.focus();
}
