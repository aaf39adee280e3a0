import { counted, plainly } from '../../../platform/core/text/numbers.ts';
import { visible } from '../../../platform/core/text/visible.ts';
import type { UnknownReason } from '../../app/plan/read-plan-bases.ts';
import { type Design, type Plan, type PlanBasis, runDeviation } from '../../core/plan/plan.ts';
import {
  aboutText,
  effectText,
  planNotes,
  planSentence,
  spreadText,
} from '../../core/plan/plan-sentences.ts';

export interface Planned {
  readonly basis: PlanBasis;
  readonly plan: Plan;
}

export interface PlanReport {
  /** The neediest first. */
  readonly planned: readonly Planned[];
  /** Values beyond those that were planned: they need less. */
  readonly more: number;
  readonly left: readonly { readonly name: string; readonly reason: UnknownReason }[];
}

/** The sentence about the neediest value, what it rests on, and the others beside. */
export function planText({ planned, more, left }: PlanReport): string {
  const [first, ...others] = planned;
  if (!first) return '';
  const { aim } = first.plan;
  const aimed = `To see ${effectText(aim.detect)} in ${effectText(aim.power)} of comparisons: `;
  const lines = [`${aimed}${planSentence(first.plan)}`, '', `  ${basisText(first.basis)}`];
  if (others.length > 0) {
    lines.push('', `The neediest of ${planned.length + more} values decides. The others need less:`);
    lines.push(...others.map(({ basis, plan }) => `  ${basisText(basis)}: ${shortly(plan)}`));
  }
  if (more > 0) lines.push(`  ... and ${plainly(counted(more, 'value'))} more: ask for one with --metric`);
  lines.push(...leftLines(left), '', ...planNotes(first.basis).map((note) => `note: ${note}`));
  return `${lines.join('\n').trimEnd()}\n`;
}

export const REASONS: Readonly<Record<UnknownReason, string>> = {
  none: 'has no usable value',
  one: 'has one value only, and one has no spread',
  equal: 'has no spread: all its values are equal',
  'not-positive': 'has values of 0 or below, of which there are no ratios',
};

function basisText(basis: PlanBasis): string {
  const { name, count, counts = 'run' } = basis;
  const rests = count === undefined ? '' : ` (${plainly(counted(count, counts))})`;
  return `${visible(name)}: ${spreadText(runDeviation(basis), counts)}${rests}`;
}

function shortly({ alone, duet }: Plan): string {
  return `${designText(alone)}; as duets ${designText(duet)}`;
}

function designText(design: Design | undefined): string {
  if (!design) return 'out of reach';
  const time = design.seconds === undefined ? '' : `, ${aboutText(design.seconds)}`;
  return `${plainly(counted(design.runs, 'run'))}${time}`;
}

const MOST_LEFT = 5;

function leftLines(left: PlanReport['left']): readonly string[] {
  if (left.length === 0) return [];
  const shown = left.slice(0, MOST_LEFT).map(({ name, reason }) => `  ${visible(name)} ${REASONS[reason]}`);
  const rest = left.length > MOST_LEFT ? [`  ... and ${left.length - MOST_LEFT} more`] : [];
  return ['', 'Left out:', ...shown, ...rest];
}
