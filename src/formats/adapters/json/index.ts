export { json as default } from './json.ts';
