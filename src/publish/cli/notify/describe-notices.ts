import { counted } from '../../../platform/core/text/numbers.ts';
import { visible } from '../../../platform/core/text/terminal-text.ts';
import type { DeliveryReport } from '../../app/notify/deliver.ts';
import type { DestinationPreview } from '../../app/notify/preview-notices.ts';

/** A line for each destination, and one for each problem. */
export function describeDeliveries(reports: readonly DeliveryReport[]): string {
  return reports
    .flatMap((report) => [deliveryLine(report), ...report.problems.map((it) => `  ${visible(it)}`)])
    .map((line) => `${line}\n`)
    .join('');
}

function deliveryLine({ destination, messages, notices, held, waiting }: DeliveryReport): string {
  const parts: string[] = [];
  if (messages > 0) parts.push(`${counted(messages, 'message')} with ${counted(notices, 'notice')}`);
  if (held > 0) parts.push(`${counted(held, 'notice')} held back until quiet hours are over`);
  if (waiting > 0) parts.push(`${counted(waiting, 'notice')} kept for the next time`);
  return `Told ${visible(destination)}: ${parts.join(', ') || 'nothing new'}.`;
}

/** The bodies as they would be sent. */
export function describePreviews(previews: readonly DestinationPreview[]): string {
  const lines = previews.flatMap(({ destination, obstacle, messages }) => {
    const held = messages.filter(({ isHeld }) => isHeld).length;
    const some = held < messages.length ? `${held} of them ` : '';
    const quiet = held > 0 ? `, ${some}held back until quiet hours are over` : '';
    return [
      `${visible(destination)}: ${messages.length === 0 ? 'nothing new' : counted(messages.length, 'message')}${quiet}`,
      ...(obstacle === undefined ? [] : [`  ! ${visible(obstacle)}`]),
      ...messages.flatMap(({ to, body, charts }) => [
        `  to ${visible(to)}${charts.length === 0 ? '' : `, with ${counted(charts.length, 'chart')}`}`,
        ...body.split('\n').map((line) => `    ${visible(line)}`),
      ]),
    ];
  });
  return lines.map((line) => `${line}\n`).join('');
}
