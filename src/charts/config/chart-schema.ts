import { z } from 'zod';

const text = z.string();
const numbers = z.array(z.number().nullable());

const frame = {
  $schema: text.optional(),
  title: text.optional(),
  xTitle: text.optional().describe('What the x axis shows.'),
  yTitle: text.optional().describe('What the y axis shows.'),
  yScale: z.enum(['linear', 'log']).optional(),
  xScale: z.enum(['linear', 'log', 'time']).optional().describe('Of lines; times as text make it "time".'),
  unit: text
    .optional()
    .describe('Of the values; seconds and bytes are shown in the multiple that reads best.'),
  width: z.number().min(100).max(8000).optional().describe('Pixels; 920 by default.'),
  height: z.number().min(100).max(8000).optional().describe('Pixels; 560 by default.'),
  fontScale: z.number().min(0.2).max(10).optional().describe('Factor for the size of text.'),
  significantFigures: z
    .int()
    .min(1)
    .max(17)
    .optional()
    .describe('Of the values that bars carry; 3 by default.'),
  valueLabels: z.boolean().optional().describe('Whether bars carry their values; true by default.'),
  colors: z
    .array(z.string().regex(/^(?:C\d|#[0-9a-fA-F]{6})$/))
    .optional()
    .describe('"C0" to "C9" or "#rrggbb": of the bars of "bar", of the series of the others.'),
};

/**
 * The chart file for editors. What is read at work is core/chart-file/read-chart-file.ts, as this library takes longer to
 * load than a chart to draw; a test holds the two together.
 */
export const chartSchema = z.discriminatedUnion('chart', [
  z.strictObject({
    chart: z.literal('bar'),
    ...frame,
    bars: z.array(
      z.strictObject({
        label: text,
        value: z.number(),
        offset: z.number().optional().describe('Moves the bar; 1 is one place.'),
      }),
    ),
  }),
  z.strictObject({
    chart: z.literal('grouped-bar'),
    ...frame,
    legendTitle: text.optional().describe('What the series are.'),
    groups: z.array(text).describe('Names along the x axis.'),
    series: z.array(
      z.strictObject({
        label: text,
        values: numbers.describe('One for each group; null is a gap.'),
        offsets: numbers.optional().describe('Move the bars; 1 is one group.'),
        labelOffsets: numbers.optional().describe('Move the values that bars carry.'),
      }),
    ),
  }),
  z.strictObject({
    chart: z.literal('line'),
    ...frame,
    series: z.array(
      z.strictObject({
        label: text.optional(),
        x: z.array(z.union([z.number(), text])).describe('Numbers, or times such as "2026-01-31T02:00".'),
        y: numbers.describe('null is a gap.'),
      }),
    ),
    points: z
      .boolean()
      .optional()
      .describe('Whether points are marked; by default those of short lines are.'),
  }),
]);
