export { prometheus as default } from './prometheus.ts';
