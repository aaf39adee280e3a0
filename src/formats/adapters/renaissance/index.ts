export { renaissance as default } from './renaissance.ts';
