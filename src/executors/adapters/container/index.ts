export { containerExecutor as default } from './container.ts';
