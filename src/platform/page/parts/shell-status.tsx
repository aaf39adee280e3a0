import { useEffect, useState } from 'preact/hooks';
import { onConnection } from '../data/live-updates.ts';
import { SourceProblem, theSource } from '../data/source.ts';
import { useSession } from '../data/use-document.ts';
import { Minute } from './time.tsx';

/** Says that what is shown may be old while the server does not answer, and why. */
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
          {isLocked ? 'The token of this page is no longer valid' : 'The server does not answer'}: what you
          see is of <Minute at={since} />.{' '}
          {isLocked ? <a href="/login">Log in again</a> : 'The page retries automatically.'}
        </p>
      )}
    </div>
  );
}

/** Whose token it is that opened the page, and that nothing can be changed, where that is so. */
export function SessionNote() {
  const session = useSession();
  if (session === undefined) return null;
  return (
    <>
      {session.isReadOnly && <span>This server is read-only.</span>}{' '}
      {session.name !== undefined && (
        <form method="post" action="/logout" class="inline">
          {session.name}{' '}
          <button type="submit" class="small">
            log out
          </button>
        </form>
      )}
    </>
  );
}

const THEMES = ['auto', 'light', 'dark'] as const;
type Theme = (typeof THEMES)[number];
const KEY = 'nightmark-theme';

/** As the system has it, light, or dark: remembered by the browser. */
export function ThemeButton() {
  const [theme, setTheme] = useState<Theme>(remembered);
  useEffect(() => {
    if (theme === 'auto') delete document.documentElement.dataset['theme'];
    else document.documentElement.dataset['theme'] = theme;
    try {
      localStorage.setItem(KEY, theme);
    } catch {
      // A browser that keeps nothing shows it until the page is left.
    }
  }, [theme]);
  const next = THEMES[(THEMES.indexOf(theme) + 1) % THEMES.length] ?? 'auto';
  return (
    <button
      type="button"
      class="plain right"
      onClick={() => setTheme(next)}
      title={`Colours: ${theme}. Click for ${next}.`}
    >
      <span aria-hidden="true">◐</span> {theme}
    </button>
  );
}

function remembered(): Theme {
  try {
    return THEMES.find((one) => one === localStorage.getItem(KEY)) ?? 'auto';
  } catch {
    return 'auto';
  }
}
