import { numbers } from '../../lib/generate.mjs';
import { measure, stageArguments, writeSamples } from '../../lib/measure.mjs';

const { config, outputDir } = stageArguments();
const size = config.size;
const a = numbers(size * size, 1);
const b = numbers(size * size, 2);

const multiply = (order) => () => {
  const c = new Float64Array(size * size);
  for (let i = 0; i < size; i++) order(c, i);
  return c;
};
const byColumns = (c, i) => {
  for (let j = 0; j < size; j++)
    for (let k = 0; k < size; k++) c[i * size + j] += a[i * size + k] * b[k * size + j];
};
const byRows = (c, i) => {
  for (let k = 0; k < size; k++)
    for (let j = 0; j < size; j++) c[i * size + j] += a[i * size + k] * b[k * size + j];
};

writeSamples(
  outputDir,
  measure({ by_columns: multiply(byColumns), by_rows: multiply(byRows) }, config.rounds),
);
