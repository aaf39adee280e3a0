export { localDisk as default } from './local.ts';
