import { procTelemetry } from './proc.ts';

export default procTelemetry();
