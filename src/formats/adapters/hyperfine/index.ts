export { hyperfine as default } from './hyperfine.ts';
