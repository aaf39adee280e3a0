export { googleBenchmark as default } from './google-benchmark.ts';
