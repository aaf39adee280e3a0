export { garageProgress as default } from './garage-progress.ts';
