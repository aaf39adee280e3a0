export { fileSpools as default } from './files.ts';
