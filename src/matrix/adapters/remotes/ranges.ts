import { NightmarkError } from '../../../platform/core/errors.ts';
import type { RemoteFile, Resume } from '../../core/remote-folder.ts';

/** An answer that carries a file, or a part of it. */
interface FileAnswer {
  readonly status: number;
  readonly url: URL;
  header(name: string): string | undefined;
  readonly bytes: AsyncIterable<Uint8Array>;
}

/** Asks for the rest of a file, if it is still the same one. */
export function rangeHeaders(resume: Resume | undefined): Record<string, string> {
  return resume === undefined ? {} : { range: `bytes=${resume.offset}-`, 'if-range': resume.tag };
}

/** What an answer says about the file it carries. */
export function toRemoteFile(answer: FileAnswer, resume: Resume | undefined): RemoteFile {
  const tag = tagOf(answer);
  const known = tag === undefined ? {} : { tag };
  if (answer.status !== 206) {
    const size = wholeNumber(answer.header('content-length'));
    return { offset: 0, ...(size !== undefined && { size }), ...known, bytes: answer.bytes };
  }
  const [, start, total] = /^bytes (\d+)-\d+\/(\d+)$/.exec(answer.header('content-range') ?? '') ?? [];
  if (resume === undefined || Number(start) !== resume.offset) {
    const { origin, pathname } = answer.url;
    throw new NightmarkError(
      'DOWNLOAD_REFUSED',
      `${origin}${pathname}: another part of the file came than was asked for.`,
    );
  }
  return { offset: resume.offset, size: Number(total), tag: resume.tag, bytes: answer.bytes };
}

/** Weak tags and times that a file may be changed within do not vouch for bytes; a time is better than nothing. */
function tagOf(answer: FileAnswer): string | undefined {
  const etag = answer.header('etag');
  if (etag !== undefined && !etag.startsWith('W/')) return etag;
  return answer.header('last-modified');
}

function wholeNumber(text: string | undefined): number | undefined {
  return text !== undefined && /^\d{1,15}$/.test(text) ? Number(text) : undefined;
}
