export { cronTimetable as default } from './cron.ts';
