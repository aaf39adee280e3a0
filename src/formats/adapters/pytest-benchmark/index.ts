export { pytestBenchmark as default } from './pytest-benchmark.ts';
