import {
  type FollowedChange,
  isOpen,
  isOpenMachineEvent,
  isOpenRegression,
  isOpenUnknown,
} from '../../../home/core/changes/change-ledger.ts';
import { counted } from '../../../platform/core/text/numbers.ts';

/** The answer: "2 open regressions, 1 improvement, 3 expected". */
export function changesHeadline(changes: readonly FollowedChange[]): string {
  const count = (test: (change: FollowedChange) => boolean) => changes.filter(test).length;
  const regressions = count(isOpenRegression);
  const told = ({ withdrawnAt }: FollowedChange) => withdrawnAt === undefined;
  const parts: readonly (readonly [number, (many: number) => string])[] = [
    [count(isOpenMachineEvent), (many) => `${counted(many, 'open event')} of a machine`],
    [count(isOpenUnknown), (many) => `${counted(many, 'open change')} of unknown direction`],
    [count((one) => isOpen(one) && isImprovement(one)), (many) => counted(many, 'open improvement')],
    [count((one) => told(one) && one.state === 'expected'), (many) => `${many} expected`],
    [count((one) => told(one) && one.state === 'fixed'), (many) => `${many} fixed`],
  ];
  return [
    regressions === 0 ? 'No open regression' : counted(regressions, 'open regression'),
    ...parts.filter(([many]) => many > 0).map(([many, words]) => words(many)),
  ].join(', ');
}

function isImprovement({ direction, series }: FollowedChange): boolean {
  return direction === 'better' && series.kind !== 'machine';
}
