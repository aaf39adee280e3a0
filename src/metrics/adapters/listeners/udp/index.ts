export { udpListeners as default } from './udp.ts';
