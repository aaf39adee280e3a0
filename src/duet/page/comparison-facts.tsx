import { formatDuration, formatNumber } from '../../platform/core/text/numbers.ts';
import { Fold } from '../../platform/page/parts/controls.tsx';
import { Scroll } from '../../platform/page/parts/display.tsx';
import type { GroupAnalysis } from '../core/analysis/duet-analysis.ts';
import { digits, percent, probability } from '../core/analysis/group-text.ts';

/** The numbers that the verdict rests on, and how noisy they are. */
export function Facts({ group }: { readonly group: GroupAnalysis }) {
  return (
    <>
      <Scroll label="Numbers of the comparison">
        <table class="facts">
          <tbody>
            {factsOf(group).map(([name, value]) => (
              <tr key={name}>
                <th scope="row">{name}</th>
                <td>{value}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </Scroll>
      <Others group={group} />
    </>
  );
}

type Fact = readonly [string, string];

function factsOf(group: GroupAnalysis): readonly Fact[] {
  const { judgement, cpu, adjustedP, counts, meanA, meanB } = group;
  const { effect, p, runs } = judgement;
  return [
    ...(effect
      ? [
          [
            'Ratio B / A',
            `${digits(effect.ratio)}, ${percent(effect.level)} interval ${digits(effect.low)} to ${digits(effect.high)}`,
          ] as const,
        ]
      : []),
    ...(cpu?.effect
      ? [
          [
            'CPU time B / A',
            `${digits(cpu.effect.ratio)}, ${percent(cpu.effect.level)} interval ${digits(cpu.effect.low)} to ${digits(cpu.effect.high)}; of whole runs`,
          ] as const,
        ]
      : []),
    ...(p === undefined ? [] : [['p', probability(p)] as const]),
    ...(adjustedP === undefined ? [] : [['p for all comparisons', probability(adjustedP)] as const]),
    ['Runs used', `${runs} of ${counts.runs}`],
    [
      'Pairs',
      `${formatNumber(counts.pairs)}${counts.weakPairs > 0 ? `, ${formatNumber(counts.weakPairs)} more overlapped too little` : ''}${counts.unpaired > 0 ? `, ${formatNumber(counts.unpaired)} iterations in none` : ''}`,
    ],
    [
      'Iterations A, B',
      `${formatNumber(counts.iterationsA)}, ${formatNumber(counts.iterationsB)}; ${formatNumber(counts.warmup)} cut as warm-up`,
    ],
    ['Mean A, B', `${seconds(meanA)}, ${seconds(meanB)}`],
    ...noiseOf(group),
  ];
}

function noiseOf({ variation, overlapShare, cost }: GroupAnalysis): readonly Fact[] {
  return [
    ...(variation === undefined
      ? []
      : [['Noise', `iterations vary by ${percent(variation)} (standard deviation of their mean)`] as const]),
    ...(overlapShare === undefined
      ? []
      : [['Overlap', `${percent(overlapShare)} of the time both sides ran at once`] as const]),
    ...(cost === undefined
      ? []
      : [
          [
            'Cost',
            `${formatDuration(cost.seconds * 1000)} of the machine${cost.speedup === undefined ? '' : `; one side after the other takes ${(1 + cost.speedup).toFixed(2)} times as long an iteration`}`,
          ] as const,
        ]),
  ];
}

function seconds(ns: number | undefined): string {
  return ns === undefined ? 'none' : formatNumber(ns / 1e9, 's');
}

function Others({ group: { thesis, icpe, mannWhitney } }: { readonly group: GroupAnalysis }) {
  const rows: readonly (readonly [string, string, boolean])[] = [
    ...(thesis
      ? [
          [
            'Mean difference A - B, BCa',
            `${seconds(thesis.low)} to ${seconds(thesis.high)}`,
            thesis.equal,
          ] as const,
        ]
      : []),
    ...(icpe
      ? [
          [
            'Geometric mean A / B, 99 % percentile',
            `${digits(icpe.ratio)} [${digits(icpe.low)}, ${digits(icpe.high)}]`,
            icpe.equal,
          ] as const,
        ]
      : []),
    ...(mannWhitney
      ? [['Mann-Whitney of all iterations', `p ${probability(mannWhitney.p)}`, mannWhitney.equal] as const]
      : []),
  ];
  if (rows.length === 0) return null;
  return (
    <Fold name="estimators" summary="Other estimators">
      <table class="facts">
        <tbody>
          {rows.map(([name, value, isEqual]) => (
            <tr key={name}>
              <th scope="row">{name}</th>
              <td>
                {value}: {isEqual ? 'equal' : 'different'}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </Fold>
  );
}
