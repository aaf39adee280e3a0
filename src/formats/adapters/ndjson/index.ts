export { ndjson as default } from './ndjson.ts';
