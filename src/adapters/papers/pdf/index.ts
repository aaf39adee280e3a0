export { pdf as default } from './pdf.ts';
