export { s3 as default } from './s3.ts';
