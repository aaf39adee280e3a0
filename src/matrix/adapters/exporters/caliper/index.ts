export { caliper as default } from './caliper.ts';
