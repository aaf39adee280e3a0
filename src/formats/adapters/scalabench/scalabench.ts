import type { Format } from '../../core/format.ts';
import { iterationSamples } from '../../core/iteration-reading.ts';
import { jvmColumns, looksLikeJvmIterations, readJvmIterations } from '../../core/jvm-iterations.ts';

/** The table of the ScalaBench harness that was built for duets (d3s). */
const scalabench: Format = {
  id: 'scalabench',
  title: 'ScalaBench, harness built for duets (CSV)',
  recognizes: (head) => (looksLikeJvmIterations(head) ? 'sure' : 'no'),
  read: (text) => iterationSamples(readJvmIterations(text)),
  readIterations: readJvmIterations,
  iterationColumns: jvmColumns,
};

export default scalabench;
