export { containerSandboxes as default } from './container.ts';
