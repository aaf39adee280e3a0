import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { CliContext } from '../../platform/cli/command.ts';
import { NightmarkError } from '../../platform/core/errors.ts';

/** In the order in which they are tried. */
const BROWSERS = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'chrome'];
/** These name a browser; the first that is set is taken. */
const VARIABLES = ['NIGHTMARK_CHROMIUM', 'CHROME_PATH'];
/** A report of some hundred rows takes 2 seconds; a busy machine may take much longer. */
const TIMEOUT_MS = 120_000;

/** Prints a page as PDF by an installed Chromium, in a profile of its own. */
export async function printPdf(
  page: string,
  { env, signal }: Pick<CliContext, 'env' | 'signal'>,
  timeoutMs = TIMEOUT_MS,
): Promise<Uint8Array> {
  const folder = await mkdtemp(join(tmpdir(), 'nightmark-print-'));
  try {
    const [html, pdf] = [join(folder, 'report.html'), join(folder, 'report.pdf')];
    await writeFile(html, page);
    const args = [...FLAGS, `--user-data-dir=${join(folder, 'profile')}`, `--print-to-pdf=${pdf}`];
    const ended = await runBrowser([...args, pathToFileURL(html).href], { env, signal, timeoutMs });
    const bytes = await readFile(pdf).catch(() => undefined);
    if (bytes === undefined) throw notPrinted(ended);
    return bytes;
  } finally {
    // Its last processes may still be writing to the profile.
    await rm(folder, { recursive: true, force: true, maxRetries: 10 });
  }
}

const FLAGS = [
  '--headless',
  // The sandbox of Chromium does not start as root.
  ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
  '--disable-gpu',
  '--disable-dev-shm-usage',
  '--no-first-run',
  '--no-default-browser-check',
  '--disable-extensions',
  '--disable-sync',
  '--disable-breakpad',
  '--disable-crash-reporter',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-domain-reliability',
  // A report fetches nothing; this holds for the browser, too.
  '--host-resolver-rules=MAP * ~NOTFOUND',
  '--no-pdf-header-footer',
  // The same flag before Chromium 111.
  '--print-to-pdf-no-header',
];

interface Ended {
  readonly browser: string;
  readonly why: string;
  /** The end of what it wrote to stderr. */
  readonly stderr: string;
}

type RunOptions = Pick<CliContext, 'env' | 'signal'> & { readonly timeoutMs: number };

async function runBrowser(args: readonly string[], options: RunOptions): Promise<Ended> {
  const variable = VARIABLES.find((name) => (options.env[name] ?? '') !== '');
  const named = variable === undefined ? undefined : options.env[variable];
  for (const browser of named === undefined ? BROWSERS : [named]) {
    const ended = await runOne(browser, args, options);
    if (ended) return ended;
  }
  const hint =
    'Install Chromium ("apt install chromium"), or name a Chromium or Chrome in NIGHTMARK_CHROMIUM. Without one: write the report as HTML (-o report.html), open it in any browser and print it.';
  if (named === undefined)
    throw new NightmarkError('REPORT_NO_BROWSER', 'A PDF needs Chromium or Chrome; none is installed.', {
      hint,
    });
  throw new NightmarkError(
    'REPORT_NO_BROWSER',
    `${variable} is "${named}", which is not a program that can be started.`,
    { hint },
  );
}

/** undefined: there is no such program. */
function runOne(
  browser: string,
  args: readonly string[],
  { env, signal, timeoutMs }: RunOptions,
): Promise<Ended | undefined> {
  return new Promise((resolve, reject) => {
    // A group of its own: all of its processes end together.
    const child = spawn(browser, args, {
      env: { ...env },
      detached: true,
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    let isLate = false;
    const kill = () => {
      try {
        if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
      } catch {
        // It has ended by itself.
      }
    };
    const timer = setTimeout(() => {
      isLate = true;
      kill();
    }, timeoutMs);
    signal.addEventListener('abort', kill, { once: true });
    const cleanUp = () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', kill);
    };
    let stderr = '';
    child.stderr.on('data', (piece: Buffer) => {
      stderr = `${stderr}${piece.toString()}`.slice(-2000);
    });
    child.on('error', (error: NodeJS.ErrnoException) => {
      cleanUp();
      if (error.code === 'ENOENT' || error.code === 'EACCES' || error.code === 'ENOTDIR') resolve(undefined);
      else reject(error);
    });
    child.on('close', (code) => {
      cleanUp();
      const ending = code === null ? 'it was killed' : `it ended with exit code ${code}`;
      const why = isLate ? `it took longer than ${timeoutMs / 1000} s` : ending;
      resolve({ browser, why, stderr: stderr.trim() });
    });
  });
}

function notPrinted({ browser, why, stderr }: Ended): NightmarkError {
  const details = stderr === '' ? '.' : `: ${stderr.split('\n').slice(-3).join(' ')}`;
  return new NightmarkError('REPORT_NOT_PRINTED', `${browser} made no PDF, ${why}${details}`, {
    hint: `A Chromium from a snap cannot see ${tmpdir()}: set TMPDIR to a folder in your home. Or write the report as HTML (-o report.html), open it in any browser and print it.`,
  });
}
