import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';

/** The folders and the configuration a run.sh was called with. */
export function stageArguments() {
  const [configDir = '.', outputDir = '.'] = process.argv.slice(2);
  const config = JSON.parse(readFileSync(join(configDir, 'config.json'), 'utf8'));
  mkdirSync(outputDir, { recursive: true });
  return { config, outputDir };
}

/**
 * Times each case once a round, so that a slow phase of the machine hits all of them alike.
 * Two rounds of warm-up are not recorded. A case is a function, or { prepare, work } where
 * only work is timed.
 */
export function measure(cases, rounds) {
  const samples = [];
  for (let round = -2; round < rounds; round++) {
    for (const [name, given] of Object.entries(cases)) {
      const { prepare = () => undefined, work } = typeof given === 'function' ? { work: given } : given;
      const input = prepare();
      const start = performance.now();
      const result = work(input);
      const seconds = (performance.now() - start) / 1000;
      if (result === undefined) throw new Error(`Case ${name} gave no result: was it optimised away?`);
      if (round >= 0) samples.push({ metric: 'seconds', name, round, value: seconds });
    }
  }
  return samples;
}

/** Writes samples.csv: one line per case and round. analyze.mjs reads it. */
export function writeSamples(outputDir, samples) {
  const lines = samples.map(({ metric, name, round, value }) => `${metric},${name},${round},${value}`);
  writeFileSync(join(outputDir, 'samples.csv'), `metric,case,round,value\n${lines.join('\n')}\n`);
  const cases = new Set(samples.map(({ name }) => name)).size;
  console.log(`${samples.length} samples of ${cases} cases`);
}
