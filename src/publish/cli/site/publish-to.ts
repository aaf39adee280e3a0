import { createHash, randomUUID } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import { ensureIndex, watchIndex } from '../../../home/cli/home-index.ts';
import type { PublishTarget } from '../../../home/core/home.ts';
import { homeLayout } from '../../../home/core/home-layout.ts';
import { judgeUnjudged } from '../../../judge/cli/changes/open-home.ts';
import { fileLocks } from '../../../platform/adapters/file-locks.ts';
import { loadAll } from '../../../platform/cli/adapters.ts';
import type { CliContext } from '../../../platform/cli/command.ts';
import { NightmarkError } from '../../../platform/core/errors.ts';
import { joinPath } from '../../../platform/core/path.ts';
import { html } from '../../../platform/core/text/html.ts';
import { readPageFiles } from '../../../server/page-shell.ts';
import { withOldFiles } from '../../app/site/old-files.ts';
import { type HomeReport, publishHome } from '../../app/site/publish-home.ts';
import { siteFiles } from '../../app/site/site-files.ts';
import type { Publication, Publisher } from '../../core/site/publisher.ts';
import type { SiteFile, SiteFiles } from '../../core/site/site-map.ts';
import { siteDocuments } from './site-documents.ts';

export interface PublishOptions extends Pick<PublishTarget, 'maxBytes' | 'writesOld'> {
  readonly home: string;
  readonly to: string | undefined;
  /** What a relative path of the target is relative to. */
  readonly baseDir: string;
  readonly isDryRun?: boolean;
  readonly isFresh?: boolean;
  readonly showsBroken?: boolean;
}

export interface Published {
  readonly report: HomeReport;
  /** The target without user and password. */
  readonly shown: string;
}

/** Puts the pages of a home to one target. */
export async function publishTo(options: PublishOptions, context: CliContext): Promise<Published> {
  const { home, maxBytes, baseDir, isDryRun = false, isFresh = false, showsBroken = false } = options;
  const target = await findTarget(options.to);
  const index = watchIndex(home);
  const documents = await siteDocuments(home, index, context);
  try {
    const store = (await ensureIndex(home, context)) ? await index.current() : undefined;
    if (!store) throw nothingToPublish(home);
    await judgeUnjudged(home, context);
    const { version } = context;
    const request = { home, target: target.shown, isDryRun, maxBytes, isFresh, showsBroken, version };
    const open = () => openTarget(target, { home, isDryRun }, { ...context, cwd: baseDir });
    const source = options.writesOld ? withOldFiles(siteFiles) : siteFiles;
    const report = await publishHome(request, {
      ...{ ...context, ...BYTE_TOOLS, store, source, open },
      ...{
        document: documents.document,
        jobFile: documents.jobFile,
        page: sitePage,
        indexVersion: index.version,
      },
    });
    return { report, shown: target.shown };
  } finally {
    await documents.close();
    index.close();
  }
}

const BYTE_TOOLS = {
  newHash() {
    const hash = createHash('sha256');
    return { update: (bytes: Uint8Array) => void hash.update(bytes), digest: () => hash.digest('hex') };
  },
  encode: (text: string) => Buffer.from(text),
};

function nothingToPublish(home: string): NightmarkError {
  return new NightmarkError('PUBLISH_NOTHING', `${home} has no results yet.`, {
    hint: `Run a night first: nightmark run ${home}`,
  });
}

export interface Target {
  readonly publisher: Publisher;
  readonly place: string;
  /** Without user and password. */
  readonly shown: string;
}

/** dir:PATH, git:REMOTE#BRANCH, s3:URL, rsync:TARGET. */
async function findTarget(given: string | undefined): Promise<Target> {
  const publishers = await loadAll<Publisher>('publishers');
  const [, scheme, place = ''] = /^([a-z\d]+):(.*)$/s.exec(given ?? '') ?? [];
  const publisher = publishers.find((one) => one.scheme === scheme);
  const shown = shownTarget(given ?? '');
  if (publisher) return { publisher, place, shown };
  const message = given === undefined ? 'Where should the site go?' : `"${shown}" is not a target.`;
  throw new NightmarkError('PUBLISH_BAD_TARGET', message, {
    hint: 'Name it with --to, or with "publish" in nightmark.yml: dir:PATH, git:REMOTE#BRANCH, s3://BUCKET/PATH or rsync:HOST:PATH.',
  });
}

/** Without user and password. */
export function shownTarget(given: string): string {
  return given.replace(/:\/\/[^\s/@]*@/g, '://***@');
}

async function openTarget(
  { publisher, place, shown }: Target,
  { home, isDryRun }: { readonly home: string; readonly isDryRun: boolean },
  context: CliContext,
): Promise<Publication> {
  const { cwd, env, signal, clock, hostName, processId } = context;
  const name = createHash('sha256').update(shown).digest('hex').slice(0, 16);
  const workFolder = joinPath(homeLayout(home).own, 'publish', `${publisher.id}-${name}`);
  await mkdir(workFolder, { recursive: true });
  return publisher.open(place, {
    mode: isDryRun ? 'look' : 'write',
    workFolder,
    cwd,
    env,
    signal,
    locks: fileLocks,
    holder: { id: randomUUID(), host: hostName, processId },
    now: () => clock.now(),
  });
}

/** The page of a static site: one HTML file that names a classic script and the style sheet by their content. */
async function* sitePage(): SiteFiles {
  const { style, site, files } = readPageFiles();
  const [script, sheet, icon] = [files.get(site), files.get(style), files.get('icon.svg')];
  if (!script || !sheet || !icon) throw new Error('The page was not built: run "npm run build".');
  yield named('icon.svg', icon.plain);
  yield named('index.html', Buffer.from(indexPage(site, style)));
  yield named(site, script.plain);
  yield named(style, sheet.plain);
}

function named(path: string, bytes: Uint8Array): SiteFile {
  return {
    path,
    isNamed: true,
    async *bytes() {
      yield bytes;
    },
  };
}

/** "file:" because a page that is opened from disk has no origin that "self" could be. */
const POLICY =
  "default-src 'none'; script-src 'self' file:; style-src 'self' file:; img-src 'self' file:; base-uri 'none'; form-action 'none'";

function indexPage(script: string, style: string): string {
  return html`<!doctype html>
<html lang="en" data-site>
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta http-equiv="Content-Security-Policy" content="${POLICY}">
<title>Nightmark</title>
<link rel="icon" href="icon.svg" type="image/svg+xml">
<link rel="stylesheet" href="${style}">
<script src="${script}" defer></script>
</head>
<body>
<div id="app"></div>
<noscript><p>This page is drawn by a script; its data is in the folder "data".</p></noscript>
</body>
</html>
`.toString();
}
