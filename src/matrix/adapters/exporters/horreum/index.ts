export { horreum as default } from './horreum.ts';
