// The kit for scripts that have no node_modules beside them: import(`${process.env.BENCHMARK_DEPS}/node/kit.mjs`).
// With nightmark among the dependencies, import from 'nightmark/kit' instead and have its types.
export * from '../../dist/public/kit.js';
