// Bundles what tsc has compiled, and the page, into what is installed: docs/adr/0012-the-program-is-bundled.md.
// With --if-older: the program and the public entries only, and only when something was compiled since.
import { ADAPTER_FOLDERS } from '../dist/src/platform/cli/adapter-modules.js';
import { writeNotice } from './build/notice.mjs';
import { buildPage } from './build/page.mjs';
import { bundleChildren, bundleProgram } from './build/program.mjs';
import { bundlePublic } from './build/public.mjs';
import { adapterTable } from './build/stand-ins.mjs';
import { isOlder, removeOrphans, writeFiles } from './build/write-files.mjs';

// The modules that have a part of their own in the build; all others are found from these.
const START = 'dist/src/cli/start.js';
/** In the bundle these are other texts: it has no folders to look into, YAML is a part of it, and re2js is loaded on demand. */
const STAND_INS = {
  'dist/src/platform/cli/adapter-modules.js': adapterTable(ADAPTER_FOLDERS, 'dist/src/platform/cli'),
  'dist/src/platform/core/patterns/re2js.js': "export const re2js = () => require('re2js');",
  'dist/src/platform/config/yaml-library.js': "export const yamlLibrary = () => require('yaml');",
};
/** Processes and threads of their own. The bundle finds them beside itself, as their modules do: names must differ. */
const CHILDREN = [
  'dist/src/executors/adapters/process/launcher.js',
  'dist/src/metrics/adapters/udp/socket-thread.js',
  'dist/src/duet/adapters/timer/node-worker.js',
];
/** What users import as nightmark/NAME. */
const PUBLIC = {
  job: 'dist/src/kit/job',
  kit: 'dist/src/kit/experiment',
  metrics: 'dist/src/kit/index',
  workload: 'dist/src/matrix/client/index',
};
const PAGE = {
  script: 'src/web/main.tsx',
  routes: 'src/web/routes.ts',
  styles: 'src',
  icon: 'src/web/icon.svg',
  /** What most pages need comes at one go: twenty files of some hundred bytes each take longer to ask for than to send. */
  parts: /\/node_modules\/(?:preact|@tanstack)\/|\/src\/platform\/(?:page\/|core\/(?:text|site|errors))/,
};

/** What is installed as the command. Timetables of users and the kits of old homes name this path. */
const COMMAND = 'src/cli/nightmark.cjs';

removeOrphans();
const ifOlder = process.argv.includes('--if-older');
if (!ifOlder || isOlder(`dist/${COMMAND}`)) {
  const children = await bundleChildren(CHILDREN, 'program');
  const program = await bundleProgram({ start: START, standIns: STAND_INS }, COMMAND, 'program');
  writeFiles('public', await bundlePublic(PUBLIC, 'public'));
  writeFiles('program', [...children, ...program], COMMAND);
}
if (!ifOlder) {
  writeFiles('page', await buildPage(PAGE, 'page'));
  writeNotice(['program', 'public', 'page']);
}
