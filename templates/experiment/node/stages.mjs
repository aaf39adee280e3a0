// stages.mjs STAGE CONFIG ...: the five stages of one experiment. Replace "cases" with what you want to measure.
import { join } from 'node:path';

// With nightmark among the dependencies: import { ... } from 'nightmark/kit', which has types.
const {
  analyzeTrials,
  readConfig,
  runTrials,
  sortData,
  writeChart,
  writeData,
  writeJson,
  writeStatus,
  writeSummary,
} = await import(`${process.env.BENCHMARK_DEPS}/node/kit.mjs`);

const [stage, configDir, second, third] = process.argv.slice(2);
const config = readConfig(configDir);
const sizes = config.sizes ?? [1000, 10_000];
const cases = {
  typed: (numbers) => Float64Array.from(numbers).sort(),
  plain: (numbers) => [...numbers].sort((a, b) => a - b),
};
const names = Object.keys(cases);
const table = { method: 'node', task: 'sort', reps: config.reps ?? 1 };

const stages = {
  /** Once, and again when a file here or the configuration changes. */
  async setup(setupDir) {
    writeJson(setupDir, 'seed.json', { seed: 42 });
  },

  async run(rawDir) {
    const done = await runTrials({
      ...table,
      dir: rawDir,
      dryRuns: config.dry_run ?? 2,
      runs: config.runs ?? 10,
      parameters: { name: names, size: sizes },
      setup: (_, size) => Float64Array.from({ length: size }, (_, i) => Math.sin(i * 12.9898)),
      trial: (numbers, name) => cases[name](numbers),
    });
    if (!done.success) throw new Error(done.message);
  },

  async analyze(rawDir, analysisDir) {
    const data = {};
    const detailed = {};
    for (const name of names) {
      data[name] = {};
      detailed[name] = {};
      for (const size of sizes) {
        const summary = analyzeTrials({ ...table, dir: rawDir, match: { name, size } });
        data[name][size] = summary.mean;
        detailed[name][size] = summary;
      }
    }
    writeData(analysisDir, { ...data, detailed });
  },

  async visualize(dataDir, graphDir) {
    const newest = sortData(dataDir).at(-1);
    await writeChart(join(graphDir, 'comparison.png'), {
      chart: 'grouped-bar',
      title: config.title ?? 'Sorting',
      xTitle: 'Numbers',
      yTitle: 'Mean time',
      unit: 's',
      groups: sizes.map(String),
      series: names.map((name) => ({
        label: name,
        values: sizes.map((size) => newest?.[name]?.[size] ?? null),
      })),
    });
  },

  async summarize(dataDir, summaryDir) {
    const newest = sortData(dataDir).at(-1);
    const lines = names.map(
      (name) =>
        `${name}: ${sizes.map((size) => `${(newest[name][size] * 1000).toFixed(3)} ms`).join(', ')}\n`,
    );
    writeSummary(summaryDir, config.title ?? 'Sorting', `For ${sizes.join(', ')} numbers\n${lines.join('')}`);
  },
};

const outputDir = third ?? second;
try {
  await stages[stage](second, third);
  writeStatus(outputDir, true, `${stage} done`);
} catch (error) {
  writeStatus(outputDir, false, error.stack ?? String(error));
  process.exitCode = 1;
}
