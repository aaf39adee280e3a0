/** Keys of a data file with a meaning of their own, at every level: no value is named so. */
export const DATA_KEYS: ReadonlySet<string> = new Set([
  'timestamp',
  'tvm_hash',
  'sources',
  'detailed',
  'start_time',
  'end_time',
  'time_delta',
  'success',
  'run_cpu_telemetry',
  'run_gpu_telemetry',
]);
