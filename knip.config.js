import { readdirSync } from 'node:fs';
import { basename, dirname } from 'node:path';

/** FOLDER/ID/ID.ts: found by its folder, imported by nobody. */
const adapters = readdirSync('src', { recursive: true, encoding: 'utf8' })
  .map((file) => `src/${file}`)
  .filter((file) => file.includes('/adapters/') && basename(file) === `${basename(dirname(file))}.ts`);

export default {
  entry: [
    ...adapters,
    'src/cli/start.ts',
    'src/executors/adapters/process/launcher.ts',
    'src/metrics/adapters/udp/socket-thread.ts',
    'src/duet/adapters/timer/node-worker.ts',
    'src/kit/{experiment,index,job}.ts',
    'src/matrix/client/index.ts',
    'src/cli/check/reference.ts',
    'src/**/*.test.ts',
    'test/**/*.test.ts',
    'test/points/kill-writer.ts',
    'test/support/publish-child.ts',
    'test/support/queue-claimer.ts',
    'bench/*.ts',
    'bench/accuracy/bursts.ts',
    'scripts/*.mjs',
    'src/web/main.tsx',
    'scripts/test/{group,reporter,counts}.mjs',
  ],
  project: ['src/**/*.{ts,tsx}', 'test/**/*.ts', 'bench/**/*.ts', 'scripts/**/*.mjs'],
  ignoreExportsUsedInFile: true,
  ignoreDependencies: ['axe-core'],
  ignoreBinaries: [
    'cc',
    'unshare',
    'influxd',
    'diff',
    'fallocate',
    'hyperfine',
    'influx',
    'make',
    'mkfifo',
    'mount',
    'munge',
    'openssl',
    'pdftotext',
    'podman',
    'prometheus',
    'promtool',
    'sinfo',
    'taskset',
    'umount',
  ],
};
