import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { logText } from '../../lib/generate.mjs';
import { measure, stageArguments, writeSamples } from '../../lib/measure.mjs';

const { config, outputDir } = stageArguments();
const text = Buffer.from(logText(config.lines));
const cases = {
  gzip_1: () => gzipSync(text, { level: 1 }),
  gzip_6: () => gzipSync(text, { level: 6 }),
  brotli_4: () => brotliCompressSync(text, { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } }),
  site: () => gzipSync(text, { level: config.site_level }),
};
const sizes = Object.entries(cases).map(([name, work]) => ({
  metric: 'bytes',
  name,
  round: 0,
  value: work().length,
}));
writeSamples(outputDir, [...measure(cases, config.rounds), ...sizes]);
