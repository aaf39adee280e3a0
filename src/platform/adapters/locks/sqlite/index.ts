export { lockHolder, sqliteLocks as default } from './sqlite.ts';
