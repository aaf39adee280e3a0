export { webhook as default } from './webhook.ts';
