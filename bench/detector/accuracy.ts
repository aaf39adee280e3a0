import { type Made, type Making, makeSeries } from './make-series.ts';
import { type Detrending, type History, residualsOf } from './residuals.ts';
import { addScore, type Detector, emptyScore, f1, falseAlarmsPerThousand } from './score.ts';

export const STEPS = [0, 0.02, 0.05, 0.1, 0.2] as const;

/** How series are made of histories. */
export interface Kind extends Omit<Making, 'step' | 'seed'> {
  readonly detrending: Detrending;
  /** Series of each history and step; four times as many without a step, where hits are rare. */
  readonly repetitions: number;
}

/** False alarms per 1,000 points without steps, then F1 at each step. */
export type Figures = readonly number[];

/** All series of some histories with steps of one size. */
export function makeAll(histories: readonly History[], step: number, kind: Kind): readonly Made[] {
  const count = step === 0 ? 4 * kind.repetitions : kind.repetitions;
  return histories.flatMap((history, h) => {
    const residuals = residualsOf(history, kind.detrending);
    return Array.from({ length: count }, (_, k) =>
      makeSeries(residuals, {
        ...kind,
        step,
        seed: 1_000_003 * h + 97 * k + Math.round(step * 1e4),
      }),
    );
  });
}

export function figuresOf(detect: Detector, histories: readonly History[], kind: Kind): Figures {
  return STEPS.map((step) => {
    const score = emptyScore();
    for (const made of makeAll(histories, step, kind)) addScore(score, made, detect(made.values));
    return step === 0 ? falseAlarmsPerThousand(score) : f1(score);
  });
}
