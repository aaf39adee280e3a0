import { sensorsTelemetry } from './sensors.ts';

export default sensorsTelemetry();
