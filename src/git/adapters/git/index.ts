export { gitSources as default } from './git.ts';
