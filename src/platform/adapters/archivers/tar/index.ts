export { tarArchiver as default } from './tar.ts';
