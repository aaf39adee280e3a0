#!/usr/bin/env node
const words = process.argv.slice(2);
const isDrawn = words[0] === 'chart' && (await (await import('./chart/quick-chart.ts')).quickChart(words));
if (!isDrawn) {
  const [{ nodeContext }, { runCli }] = [await import('./node-context.ts'), await import('./run-cli.ts')];
  const { context, dispose } = nodeContext(process);
  process.exitCode = await runCli(words, context);
  dispose();
}
