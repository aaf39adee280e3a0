import { z } from 'zod';
import { NOTICE_EVENTS, SEVERITIES } from '../../home/core/home.ts';

const STATES = [
  'found',
  'confirmed',
  'withdrawn',
  'expected',
  'fixed',
  'false',
  'failed',
  'recovered',
  'missing',
  'returned',
  'broken',
  'finished',
  'digest',
  'rehearsal',
] as const;

/** The body that a webhook receives. */
export const noticeSchema = z.strictObject({
  version: z.literal(1).describe('Of this shape.'),
  id: z.string().describe('The same when the same notice is sent again; also the header Idempotency-Key.'),
  topic: z.string().describe('What it is about; later notices about it have the same topic.'),
  event: z.enum([...NOTICE_EVENTS, 'digest', 'rehearsal']).describe('What happened; digest: many in one.'),
  state: z.enum(STATES).describe('The state of the topic.'),
  severity: z.enum(SEVERITIES).describe('How much it matters.'),
  at: z.iso.datetime().describe('When: the end of the night.'),
  project: z.string().describe('Name of the project.'),
  run: z.string().optional().describe('Id of the night.'),
  experiment: z.string().optional().describe('Name of the experiment, or of the KPI.'),
  title: z.string().describe('One line.'),
  text: z.string().describe('Details, in lines.'),
  facts: z
    .array(
      z.strictObject({
        name: z.string().describe('Such as Commits.'),
        value: z.string().describe('In one line.'),
      }),
    )
    .describe('Level, commits, what else changed, a command to continue with.'),
  link: z.string().optional().describe('The place on the page of the home.'),
  mentions: z.array(z.string()).describe('Who is mentioned: `notify` of the experiment.'),
});
