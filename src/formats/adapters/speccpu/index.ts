export { speccpu as default } from './speccpu.ts';
