export { postgres as default } from './postgres.ts';
