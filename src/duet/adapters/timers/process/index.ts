export { processTimer as default } from './process.ts';
