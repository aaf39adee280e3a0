import { spawnSync } from 'node:child_process';
import { measure, stageArguments, writeSamples } from '../../lib/measure.mjs';

const { config, outputDir } = stageArguments();
const start =
  (command, ...args) =>
  () => {
    const { status, error } = spawnSync(command, args, { stdio: 'ignore' });
    if (status !== 0) throw error ?? new Error(`${command} ended with ${status}.`);
    return status;
  };

writeSamples(
  outputDir,
  measure({ node: start(process.execPath, '-e', '0'), bash: start('bash', '-c', ':') }, config.rounds),
);
