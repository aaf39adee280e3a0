export { parquet as default } from './parquet.ts';
