export { openSqliteStore as default } from './sqlite.ts';
