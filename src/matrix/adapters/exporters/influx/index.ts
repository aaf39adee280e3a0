export { influx as default } from './influx.ts';
