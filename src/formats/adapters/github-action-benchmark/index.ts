export { githubActionBenchmark as default } from './github-action-benchmark.ts';
