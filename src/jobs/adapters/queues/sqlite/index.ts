export { openSqliteQueue as default } from './sqlite.ts';
