export { garageAuto as default } from './garage-auto.ts';
