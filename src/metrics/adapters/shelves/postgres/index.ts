export { openPostgresShelf as default } from './postgres.ts';
