import type { PairStep, Version } from '../../git/core/version-pairs.ts';
import { visible } from '../../platform/core/text/terminal-text.ts';

/** A line for people on what is being prepared. */
export function describeStep(step: PairStep, ref: string): string {
  switch (step.step) {
    case 'waiting':
      return `Waiting for ${step.owner}, which prepares the same repository.`;
    case 'found':
      return `A: ${versionText(step.A)} (${visible(ref)})\nB: ${step.B.isChanged ? 'the working tree on ' : ''}${versionText(step.B)}`;
    case 'building':
      return `Building ${step.side} ...`;
    case 'reused':
      return `${step.side} is there from an earlier time.`;
  }
}

function versionText({ shortCommit, date, subject }: Version): string {
  return `${shortCommit} ${date.slice(0, 10)} ${visible(subject)}`;
}
