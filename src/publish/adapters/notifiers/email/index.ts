export { email as default } from './email.ts';
