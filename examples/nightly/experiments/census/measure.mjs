import { readFileSync } from 'node:fs';
import { measure, stageArguments, writeSamples } from '../../lib/measure.mjs';

const { config, outputDir } = stageArguments();
const cases = {
  lines: () => readFileSync(config.data_set, 'utf8').split('\n').length,
};
writeSamples(outputDir, measure(cases, 5));
