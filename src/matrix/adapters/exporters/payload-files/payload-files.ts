import { join } from 'node:path';
import {
  ANCHOR,
  anchorText,
  indexName,
  payloadFileName,
  payloadText,
} from '../../../../formats/core/kpi/payload-files.ts';
import type { Exporter } from '../../../core/exporter.ts';
import { writeWhole } from '../write-whole.ts';
import { readPayloadFiles } from './read-payload-files.ts';

/** A folder with one JSON file for each test, and the anchor that old readers look for. */
const payloadFiles: Exporter = {
  id: 'payload-files',
  title: 'a folder of payload files (source.lts.yaml and <index>_<id>.json)',
  canImport: true,
  async export(payloads, { place, options, isDryRun }) {
    const index = indexName(options['name'] ?? 'payloads');
    const files = payloads.map((payload) => ({ name: payloadFileName(index, payload), payload }));
    const steps = [...files.map(({ name }) => name), ANCHOR].map((name) => `write ${join(place, name)}`);
    if (isDryRun) return { sent: 0, refused: [], steps };
    for (const { name, payload } of files) await writeWhole(join(place, name), payloadText(payload));
    const filters = options['filter'] === undefined ? [] : [options['filter']];
    const at = Number(options['now'] ?? Date.now());
    await writeWhole(join(place, ANCHOR), anchorText({ index, at, filters }));
    return { sent: files.length, refused: [], steps };
  },
  import: ({ place }) => readPayloadFiles(place),
};

export default payloadFiles;
