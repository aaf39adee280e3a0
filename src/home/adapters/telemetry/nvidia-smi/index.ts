import { nvidiaSmiTelemetry } from './nvidia-smi.ts';

export default nvidiaSmiTelemetry();
