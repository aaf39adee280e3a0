export { slack as default } from './slack.ts';
export { slackTransport } from './transport.ts';
