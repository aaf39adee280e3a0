// analyze.mjs CONFIG RAW ANALYSIS: samples.csv of the run -> data.json, {metric: {case: median}} and details.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { summarize } from './statistics.mjs';

const [, rawDir, analysisDir] = process.argv.slice(2);
const samples = readSamples(join(rawDir, 'samples.csv'));
if (samples.size === 0) throw new Error('samples.csv has no samples: did run.sh measure anything?');

const data = {};
const detailed = {};
for (const [key, values] of samples) {
  const [metric, name] = key.split(',');
  const summary = summarize(values);
  data[metric] = { ...data[metric], [name]: summary.median };
  detailed[metric] = { ...detailed[metric], [name]: summary };
}
mkdirSync(analysisDir, { recursive: true });
writeFileSync(join(analysisDir, 'data.json'), JSON.stringify({ ...data, detailed }));
console.log(`${samples.size} medians`);

function readSamples(file) {
  const samples = new Map();
  for (const line of readFileSync(file, 'utf8').trim().split('\n').slice(1)) {
    const [metric, name, , text] = line.split(',');
    const value = Number(text);
    if (!Number.isFinite(value)) throw new Error(`${file} has a value that is no number: ${line}`);
    const key = `${metric},${name}`;
    samples.set(key, [...(samples.get(key) ?? []), value]);
  }
  return samples;
}
