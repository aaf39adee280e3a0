export { csv as default } from './csv.ts';
