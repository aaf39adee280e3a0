import type { SampleSet } from '../../../../formats/core/sample.ts';
import type { SqliteConnection } from '../../../../platform/adapters/sqlite.ts';
import type { Store } from '../../../core/store.ts';
import { fromBlob, toBlob } from './columns.ts';

type SampleMethods = Pick<Store, 'saveSamples' | 'samplesOf'>;
type SampleRow = readonly [
  benchmark: string,
  metric: string,
  unit: string,
  better: SampleSet['better'],
  settings: string,
  values: Uint8Array,
];

const COLUMNS = 'benchmark, metric, unit, better, settings, sample_values';

export function sampleTable(connection: SqliteConnection): SampleMethods {
  return {
    async saveSamples(runId, task, samples) {
      connection.atomically(() => {
        connection.run('DELETE FROM samples WHERE run_id = ? AND task = ?', [runId, task]);
        for (const [position, { benchmark, metric, unit, better, settings, values }] of samples.entries()) {
          connection.run(
            `INSERT INTO samples (run_id, task, position, ${COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
            [
              runId,
              task,
              position,
              JSON.stringify(benchmark),
              metric,
              unit,
              better,
              JSON.stringify(settings),
              toBlob(values),
            ],
          );
        }
      });
    },

    samplesOf: async (runId, task) =>
      connection
        .all<SampleRow>(`SELECT ${COLUMNS} FROM samples WHERE run_id = ? AND task = ? ORDER BY position`, [
          runId,
          task,
        ])
        .map(toSampleSet),
  };
}

function toSampleSet([benchmark, metric, unit, better, settings, values]: SampleRow): SampleSet {
  return {
    benchmark: JSON.parse(benchmark) as string[],
    metric,
    unit,
    better,
    values: Array.from(fromBlob(values)),
    settings: JSON.parse(settings) as SampleSet['settings'],
  };
}
