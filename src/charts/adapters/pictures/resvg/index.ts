export { resvg as default } from './resvg.ts';
