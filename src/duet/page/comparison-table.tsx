import { useMemo } from 'preact/hooks';
import { formatNumber } from '../../platform/core/text/numbers.ts';
import type { Column } from '../../platform/page/table/column.ts';
import { DataTable } from '../../platform/page/table/data-table.tsx';
import type { Judgement } from '../../stats/verdict.ts';
import type { GroupAnalysis } from '../core/analysis/duet-analysis.ts';
import { digits, effectText, verdictText } from '../core/analysis/group-text.ts';
import { type LogScale, logScale } from '../core/report/log-scale.ts';

interface Props {
  readonly groups: readonly GroupAnalysis[];
  readonly name: (group: GroupAnalysis) => string;
  readonly chosen: number;
  readonly minEffect: number;
  readonly onChoose: (group: GroupAnalysis) => void;
}

/** All comparisons on one axis: estimate and interval, the smallest effect of interest as a band. */
export function ComparisonTable({ groups, name, chosen, minEffect, onChoose }: Props) {
  const columns = useMemo(() => columnsOf({ groups, name, minEffect, onChoose }), [groups, minEffect]);
  return (
    <DataTable
      caption="Comparisons: Enter shows one"
      rows={groups}
      columns={columns}
      rowKey={name}
      isSelected={(group) => group === groups[chosen]}
      onOpen={onChoose}
      maxHeight="45vh"
    />
  );
}

const WIDTH = 260;
const HEIGHT = 24;

function columnsOf({
  groups,
  name,
  minEffect,
  onChoose,
}: Omit<Props, 'chosen'>): readonly Column<GroupAnalysis>[] {
  const ends = groups.flatMap(({ judgement: { effect } }) => (effect ? [effect.low, effect.high] : []));
  const scale = logScale(ends, Math.max(minEffect * 1.5, 0.01), [4, WIDTH - 4]);
  const seconds = (ns: number | undefined) => (ns === undefined ? '~' : formatNumber(ns / 1e9, 's'));
  return [
    {
      ...{ key: 'name', title: 'comparison' },
      sortBy: name,
      cell: (group) => (
        <button type="button" class="plain link" onClick={() => onChoose(group)}>
          {name(group)}
        </button>
      ),
    },
    {
      ...{ key: 'verdict', title: 'B is' },
      sortBy: ({ judgement }) => judgement.verdict,
      cell: ({ judgement }) => <VerdictLabel judgement={judgement} />,
    },
    {
      ...{ key: 'ratio', title: 'B / A', isNumber: true },
      sortBy: ({ judgement }) => judgement.effect?.ratio,
      cell: ({ judgement: { effect } }) => (effect ? effectText(effect) : '~'),
    },
    {
      ...{ key: 'interval', title: 'interval: left of 1 faster, right slower' },
      cell: ({ judgement }) => <IntervalBar {...{ judgement, scale, minEffect }} />,
    },
    {
      ...{ key: 'runs', title: 'runs', isNumber: true },
      sortBy: ({ judgement }) => judgement.runs,
      cell: ({ judgement }) => judgement.runs,
    },
    {
      ...{ key: 'pairs', title: 'pairs', isNumber: true },
      sortBy: ({ counts }) => counts.pairs,
      cell: ({ counts }) => formatNumber(counts.pairs),
    },
    {
      key: 'a',
      title: 'mean A',
      isNumber: true,
      sortBy: ({ meanA }) => meanA,
      cell: ({ meanA }) => seconds(meanA),
    },
    {
      key: 'b',
      title: 'mean B',
      isNumber: true,
      sortBy: ({ meanB }) => meanB,
      cell: ({ meanB }) => seconds(meanB),
    },
    {
      ...{ key: 'noise', title: 'variation', isNumber: true },
      sortBy: ({ variation }) => variation,
      cell: ({ variation }) => (variation === undefined ? '~' : `${(variation * 100).toFixed(1)} %`),
    },
  ];
}

interface BarProps {
  readonly judgement: GroupAnalysis['judgement'];
  readonly scale: LogScale;
  readonly minEffect: number;
}

function IntervalBar({ judgement, scale, minEffect }: BarProps) {
  const { effect } = judgement;
  if (!effect) return <span class="quiet">no interval</span>;
  const [band, one, y] = [scale.place(1 / (1 + minEffect)), scale.place(1), HEIGHT / 2];
  const caption = `${verdictText(judgement)}: ${digits(effect.ratio)}, ${digits(effect.low)} to ${digits(effect.high)}`;
  return (
    <svg
      class={`interval-bar ${judgement.verdict}`}
      width={WIDTH}
      height={HEIGHT}
      role="img"
      aria-label={caption}
    >
      <title>{caption}</title>
      <rect class="band" x={band} y={0} width={scale.place(1 + minEffect) - band} height={HEIGHT} />
      <path class="one" d={`M${one} 0V${HEIGHT}`} />
      <path class="span" d={`M${scale.place(effect.low)} ${y}H${scale.place(effect.high)}`} />
      <rect class="estimate" x={scale.place(effect.ratio) - 3} y={y - 3} width={6} height={6} />
    </svg>
  );
}

const SIGNS = { slower: '▲', faster: '▼', same: '=', undecided: '?' } as const;
const CLASSES = { slower: 'worse', faster: 'better', same: '', undecided: '' } as const;

/** A sign and a text; the colour only repeats them. */
function VerdictLabel({ judgement }: { readonly judgement: Judgement }) {
  const { verdict } = judgement;
  return (
    <span class={`change ${CLASSES[verdict]}`}>
      <span aria-hidden="true">{SIGNS[verdict]}</span> {verdictText(judgement)}
    </span>
  );
}
