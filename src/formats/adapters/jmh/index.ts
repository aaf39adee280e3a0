export { jmh as default } from './jmh.ts';
