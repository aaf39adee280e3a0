export { opensearch as default } from './opensearch.ts';
