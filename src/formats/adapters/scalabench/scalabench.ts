import type { Format } from '../../core/format.ts';
import { iterationSamples } from '../../core/iteration-reading.ts';
import { JVM_HEADER, jvmColumns, readJvmIterations } from '../../core/jvm-iterations.ts';

/** The table of the ScalaBench harness that was built for duets (d3s). */
const scalabench: Format = {
  id: 'scalabench',
  title: 'ScalaBench, harness built for duets (CSV)',
  recognizes: [JVM_HEADER],
  read: (text) => iterationSamples(readJvmIterations(text)),
  readIterations: readJvmIterations,
  iterationColumns: jvmColumns,
};

export default scalabench;
