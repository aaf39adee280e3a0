import { localMachine } from './local.ts';

export default localMachine();
