export { localLandings as default } from './local.ts';
