export { openSqliteShelf as default } from './sqlite.ts';
