export { payloadFiles as default } from './payload-files.ts';
