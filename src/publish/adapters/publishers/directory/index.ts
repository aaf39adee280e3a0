export { directory as default } from './directory.ts';
