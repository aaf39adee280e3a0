import type { Format } from '../../core/format.ts';
import { iterationSamples } from '../../core/iteration-samples.ts';
import { readRenaissance } from './iterations.ts';

/** The JSON file of the Renaissance suite (`--json FILE`): https://renaissance.dev */
const renaissance: Format = {
  id: 'renaissance',
  title: 'Renaissance (--json)',
  recognizes: (head) =>
    /^\uFEFF?\s*\{/.test(head) &&
    /"start_unix_ms"\s*:|"duration_ns"\s*:/.test(head) &&
    /"(?:data|benchmarks)"\s*:/.test(head)
      ? 'sure'
      : 'no',
  read: (text) => iterationSamples(readRenaissance(text)),
  readIterations: readRenaissance,
  iterationColumns: () => ['epoch_start_ms', 'uptime_ns'],
};

export default renaissance;
