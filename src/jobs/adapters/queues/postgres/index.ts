export { openPostgresQueue as default } from './postgres.ts';
