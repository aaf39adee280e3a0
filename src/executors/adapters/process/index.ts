export { processExecutor as default } from './process.ts';
