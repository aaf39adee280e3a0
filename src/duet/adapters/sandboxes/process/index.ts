export { processSandboxes as default } from './process.ts';
