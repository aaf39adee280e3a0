import { createHash } from 'node:crypto';
import { ensureIndex, watchIndex } from '../../../home/cli/home-index.ts';
import type { PublishTarget } from '../../../home/core/home.ts';
import type { CliContext } from '../../../platform/cli/command.ts';
import { NightmarkError } from '../../../platform/core/errors.ts';
import { withOldFiles } from '../../app/site/old-files.ts';
import { type HomeReport, publishHome } from '../../app/site/publish-home.ts';
import { siteFiles } from '../../app/site/site-files.ts';
import { findTarget, openTarget } from './open-target.ts';
import { siteDocuments } from './site-documents.ts';
import { sitePage } from './site-page.ts';

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
    if (!store) throw nothingYet(home);
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

function nothingYet(home: string): NightmarkError {
  return new NightmarkError('PUBLISH_NOTHING', `${home} has no results yet.`, {
    hint: `Run a night first: nightmark run ${home}`,
  });
}
