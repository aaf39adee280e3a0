import type { RemoteEntry } from '../../../core/ports/remote-folder.ts';

export interface S3Page {
  readonly entries: readonly RemoteEntry[];
  /** Where the next page begins; undefined at the last one. */
  readonly next: string | undefined;
}

/** An answer to ListObjectsV2 with encoding-type=url; undefined when it is none. */
export function readPage(xml: string, prefix: string): S3Page | undefined {
  if (!/<ListBucketResult[\s>]/.test(xml)) return undefined;
  const isEncoded = field(xml, 'EncodingType') === 'url';
  const keyOf = (text: string) => (isEncoded ? decodeURIComponent(text.replaceAll('+', ' ')) : text);
  const named = (part: string, tag: string) => keyOf(field(part, tag) ?? '').slice(prefix.length);
  const folders = parts(xml, 'CommonPrefixes').map((part): RemoteEntry => {
    return { name: named(part, 'Prefix').replace(/\/$/, ''), type: 'folder' };
  });
  const files = parts(xml, 'Contents').map((part): RemoteEntry => {
    const size = Number(field(part, 'Size'));
    return { name: named(part, 'Key'), type: 'file', ...(Number.isSafeInteger(size) && { size }) };
  });
  const isCut = field(xml, 'IsTruncated') === 'true';
  return {
    // A key that ends with the folder is the mark of the folder itself.
    entries: [...folders, ...files.filter(({ name }) => name !== '')],
    next: isCut ? field(xml, 'NextContinuationToken') : undefined,
  };
}

function parts(xml: string, tag: string): readonly string[] {
  return xml
    .split(`<${tag}>`)
    .slice(1)
    .map((part) => part.slice(0, part.indexOf(`</${tag}>`)));
}

function field(xml: string, tag: string): string | undefined {
  const start = xml.indexOf(`<${tag}>`);
  const end = xml.indexOf(`</${tag}>`, start);
  return start < 0 || end < 0 ? undefined : unescapeXml(xml.slice(start + tag.length + 2, end));
}

const NAMED: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

function unescapeXml(text: string): string {
  return text.replace(/&(?:#(\d{1,7})|#x([\da-f]{1,6})|(amp|lt|gt|quot|apos));/gi, (all, ten, hex, named) => {
    if (named !== undefined) return NAMED[String(named)] ?? all;
    const code = ten === undefined ? Number.parseInt(String(hex), 16) : Number(ten);
    return code <= 0x10ffff ? String.fromCodePoint(code) : all;
  });
}
