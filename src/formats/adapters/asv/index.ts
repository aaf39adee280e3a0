export { asv as default } from './asv.ts';
