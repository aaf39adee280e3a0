export { progressCsv as default } from './progress-csv.ts';
