export { tensorboard as default } from './tensorboard.ts';
