import type { Dirent } from 'node:fs';
import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import {
  ANCHOR,
  anchorText,
  indexName,
  payloadFileName,
  payloadText,
} from '../../../../formats/core/kpi/payload-files.ts';
import { messageOf, NightmarkError } from '../../../../platform/core/errors.ts';
import type { JsonValue } from '../../../../platform/core/text/json.ts';
import { type Exporter, type ReadDocument, readDocument } from '../../../core/exporter.ts';
import { writeFileAtomically } from '../export-files.ts';

/** A folder with one JSON file for each test, and the anchor file that old readers expect. */
const payloadFiles: Exporter = {
  id: 'payload-files',
  title: 'a folder of payload files (source.lts.yaml and <index>_<id>.json)',
  canImport: true,
  async export(payloads, { place, options, isDryRun }) {
    const index = indexName(options['name'] ?? 'payloads');
    const files = payloads.map((payload) => ({ name: payloadFileName(index, payload), payload }));
    const steps = [...files.map(({ name }) => name), ANCHOR].map((name) => `write ${join(place, name)}`);
    if (isDryRun) return { sent: 0, refused: [], steps };
    for (const { name, payload } of files) await writeFileAtomically(join(place, name), payloadText(payload));
    const filters = options['filter'] === undefined ? [] : [options['filter']];
    const at = Number(options['now'] ?? Date.now());
    await writeFileAtomically(join(place, ANCHOR), anchorText({ index, at, filters }));
    return { sent: files.length, refused: [], steps };
  },
  import: ({ place }) => readPayloadFiles(place),
};

export default payloadFiles;

/**
 * The payloads of one file, or of every folder below `place` that has the anchor and no "skip": there, each file whose name
 * does not begin with a dot must be one. Sorted by name; links are not followed.
 */
async function* readPayloadFiles(place: string): AsyncGenerator<ReadDocument> {
  const facts = await stat(place).catch((cause: unknown) => {
    throw new NightmarkError('EXPORT_NO_SOURCE', `${place} could not be read: ${messageOf(cause)}`, {
      hint: 'Name a payload file, or a folder of them.',
      cause,
    });
  });
  if (facts.isFile()) {
    yield await readOne(place);
    return;
  }
  let isFound = false;
  for await (const { dir, entries } of anchoredFolders(place)) {
    isFound = true;
    if (entries.some(({ name }) => name === 'skip')) continue;
    yield* readAhead(entries.filter(mayBePayload).map(({ name }) => join(dir, name)));
  }
  if (isFound) return;
  throw new NightmarkError(
    'EXPORT_NO_PAYLOADS',
    `${place} is not a folder of payloads: it has no ${ANCHOR}.`,
    {
      hint: 'For a folder of results, give --workload FILE.',
    },
  );
}

/** Files to read at a time: enough to keep a disk busy. */
const AHEAD = 8;

async function* readAhead(paths: readonly string[]): AsyncGenerator<ReadDocument> {
  const reading: Promise<ReadDocument>[] = [];
  let next = 0;
  while (next < paths.length || reading.length > 0) {
    while (next < paths.length && reading.length < AHEAD) reading.push(readOne(paths[next++] ?? ''));
    const first = reading.shift();
    if (first) yield await first;
  }
}

interface Folder {
  readonly dir: string;
  readonly entries: readonly Dirent[];
}

async function* anchoredFolders(dir: string): AsyncGenerator<Folder> {
  const entries = await readdir(dir, { withFileTypes: true });
  entries.sort((a, b) => (a.name < b.name ? -1 : 1));
  if (entries.some(({ name }) => name === ANCHOR)) yield { dir, entries };
  for (const entry of entries) if (entry.isDirectory()) yield* anchoredFolders(join(dir, entry.name));
}

function mayBePayload(entry: Dirent): boolean {
  return entry.isFile() && entry.name !== ANCHOR && !entry.name.startsWith('.');
}

async function readOne(source: string): Promise<ReadDocument> {
  try {
    return readDocument(JSON.parse(await readFile(source, 'utf8')) as JsonValue, source);
  } catch (error) {
    return { source, reason: messageOf(error) };
  }
}
