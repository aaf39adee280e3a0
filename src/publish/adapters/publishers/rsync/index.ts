export { rsync as default } from './rsync.ts';
