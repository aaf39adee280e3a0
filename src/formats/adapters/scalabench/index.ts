export { scalabench as default } from './scalabench.ts';
