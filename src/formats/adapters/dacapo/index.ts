export { dacapo as default } from './dacapo.ts';
