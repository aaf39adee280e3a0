export { socketBarriers as default } from './socket.ts';
