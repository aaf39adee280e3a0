import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inferDirection } from './infer-direction.ts';

/** Names that tools write, outermost first, with the direction that a user of the tool would give; "?" where there is none. */
const KNOWN = {
  k6: `
    lower  http_req_duration > avg; http_req_duration > p(95); iteration_duration > med; group_duration > max
    lower  http_req_failed > rate; http_req_failed > value; checks > fails; errors > rate; dropped_iterations > count
    lower  dropped_iterations > rate; metrics > http_req_duration > values > p(99.9)
    higher http_reqs > rate; iterations > rate; metrics > http_reqs > rate > value; metrics > iterations > rate > avg
    ?      http_reqs > count; iterations > count; data_received > count; data_received > rate; data_sent > rate
    ?      http_req_failed > passes; http_req_failed > fails; metrics > http_req_failed > fails > value; checks > passes; vus > value; vus_max > max
    ?      state > testRunDurationMs; http_req_duration > count`,
  locust: `
    lower  Failure Count; Median Response Time; Average Response Time; Min Response Time; Max Response Time; Failures/s
    lower  Total Failure Count; Total Median Response Time; GET > /login > Average Response Time
    higher Requests/s; POST > /errors > Requests/s
    ?      Request Count; Average Content Size; User Count; Timestamp; Total Request Count; GET > /score > 50%; 99.9%; 100%`,
  fio: `
    lower  read > slat_ns > mean; read > clat_ns > percentile > 99.000000; write > lat_ns > max; error
    higher read > iops; read > bw; read > bw_bytes; write > iops_mean; write > bw_min; write > bw_agg
    ?      read > io_bytes; read > io_kbytes; read > runtime; read > total_ios; read > short_ios; read > lat_ns > N
    ?      read > clat_ns > stddev; read > bw_dev; read > bw_samples; read > iops_stddev; read > iops_samples; elapsed; eta
    ?      job_runtime; usr_cpu; sys_cpu; ctx; majf; minf; groupid; latency_depth; latency_target; latency_percentile
    ?      latency_window; latency_us > 250; latency_ms > >=2000; latency_ns > 2; job options > size`,
  sysbench: `
    lower  Latency (ms) > avg; Latency (ms) > 95th percentile; Latency (ms) > max; ignored errors
    higher events per second; transactions per second; reads/s; written, MiB/s; fsyncs > reads/s; 5659.91 MiB/sec
    ?      total time; total number of events; Latency (ms) > sum; Threads fairness > events (avg/stddev); queries
    ?      Number of threads; Prime numbers limit; transactions`,
  criterion: `
    ?      mean > point_estimate; mean > standard_error; mean > confidence_interval > upper_bound; std_dev > point_estimate
    ?      median_abs_dev > point_estimate; slope > confidence_interval > confidence_level; iters; times`,
  'relay dashboards': `
    lower  seconds > gzip_1; seconds > heap; seconds > append; bytes > site; detailed > seconds > sort > median
    ?      cpu > A; cpu > Aot > resnet; gpu > pt > 18; detailed > cpu > A > mean; detailed > seconds > sort > std
    ?      detailed > seconds > sort > n`,
  'real histories': `
    ?      hyperium+hyper:end_to_end:http1_consecutive_x1_both_10mb; hyperium+hyper:end_to_end:http2_post
    ?      pandas:algorithms.Hashing.time_frame; pandas:frame_methods.Iteration.peakmem_itertuples_raw
    ?      pandas:timeseries.AsOf.time_asof_nan[0]; pandas:io.csv.ReadCSVEngine.peakmem_read_csv[1]`,
  'Google Benchmark, JMH, Go, perf, pgbench, iperf3': `
    lower  real_time; cpu_time; ns/op; B/op; allocs/op; gc.time (ms); cache-misses; branch-misses; page-faults
    lower  latency average (ms); number of failed transactions; retransmits; jitter_ms; lost_percent; lost_packets
    lower  schedule lag avg; User time (seconds); Maximum resident set size (kbytes) > maxrss; initial connection time
    higher items_per_second; bytes_per_second; bits_per_second; MB/s; tps; insn_throughput; rps
    ?      iterations; repetitions; threads; gc.alloc.rate; gc.count; cycles; instructions; insn per cycle; task-clock
    ?      aes-256-cbc > 16 bytes; context-switches; duration_of_nothing; number of clients; sum_sent > bytes_sent; scaling factor`,
  learning: `
    lower  loss; val_loss; train/loss; test_loss; perplexity; wer; rmse
    higher accuracy; val_accuracy; f1_score; AverageReturn; MaxReturn; EpisodeReward; score; tokens/s; samples_per_second
    ?      actor_loss; policy_loss; weight_loss; StdReturn; learning_rate; epoch; step; brier_score; accuracy_loss
    ?      dropout_rate; sample_rate; batch_size; TotalEnvSteps; time; return; compression_ratio; ratio; rate; count`,
  'home-made': `
    lower  latency; p95_latency; latency_p99_ms; wall_ms; build_seconds; compile_time; end_to_end_latency; runtime_s; elapsed_ms
    lower  error_rate; miss ratio; failure_percent; peak_rss_mb; memory_usage; max_rss; heap_used_bytes; binary_size
    lower  bundle_size_kb; wasm_bytes; errors_total; num_errors; timeouts; retries; cold_start_ms; nsPerOp; gc_pause_ms; packet_loss
    lower  errors_per_second; requests > failed; ttfb; overhead; energy_per_op; seconds > 10000
    higher throughput; ops_per_sec; requestsPerSecond; hit_rate; cache_hit_ratio; success_rate; speedup; bandwidth; fps
    higher frame_rate; qps; throughput_mbps; memory_bandwidth; mean_score; accuracy_percent; queries/s
    ?      input_bytes; file_size; file_size_bytes; memory_total_bytes; mem_free_mb; bytes_read; batch_size; n; cpu_percent
    ?      start_time; end_time; timeout_ms; interval_ms; uptime_seconds; unix_ms; sleep_ms; deadline_seconds; ttl_seconds
    ?      error_handling; memory_copy; latency_test; count_words; hit_test; rate_limiter; score_model; time_limit; time_steps
    ?      throughput > memory; latency > accuracy; cache_hits; total_memory; port; seed; version; users; threads; standard_error
    ?      test_run_seconds; warmup_seconds; error_score; cpu; wall; speed; clock_rate; request_size; disk_usage; temperature`,
};

for (const [tool, table] of Object.entries(KNOWN)) {
  test(`directions of ${tool}`, () => {
    const lines = table.trim().split('\n');
    for (const line of lines) {
      const [, expected = '', names = ''] = /^\s*(\S+)\s+(.*)$/.exec(line) ?? [];
      for (const name of names.split(';').map((one) => one.trim())) {
        const found = inferDirection(name.split(' > '));
        assert.equal(found, expected === '?' ? 'unknown' : expected, name);
      }
    }
  });
}

test('a unit says it where the name does not, and the name may take it back', () => {
  const of = (name: string, unit: string) => inferDirection([name], unit);
  assert.deepEqual(
    ['s', 'ms', 'ns/op', 'B', 'MiB'].map((unit) => of('sort', unit)),
    Array(5).fill('lower'),
  );
  assert.deepEqual(
    ['ops/s', 'req/s', 'MB/s', '1/s', 'fps', 'iops'].map((unit) => of('sort', unit)),
    Array(6).fill('higher'),
  );
  assert.deepEqual(
    ['', '%', 'count', 'x', 'widgets/s', 'C'].map((unit) => of('sort', unit)),
    Array(6).fill('unknown'),
  );
  assert.equal(of('errors', '1/s'), 'lower');
  assert.equal(of('input', 'B'), 'unknown');
  assert.equal(of('interval', 's'), 'unknown');
  assert.equal(of('throughput', 's'), 'unknown', 'they contradict');
});
