import type { MatrixExperiment, PlannedTest } from '../matrix-definition.ts';
import { type Filled, fillCommand, parseTemplate, type TextOf, templateText } from './fill-template.ts';
import { countCombinations, planTests, testFolderName } from './plan-tests.ts';

/** One point of the matrix of an experiment in a night: what it sets, and the name of its folder. */
export interface MatrixPoint {
  readonly test: PlannedTest;
  readonly folder: string;
}

/** A data file holds at most 10,000 values, and each point brings one or more. */
export const MOST_POINTS = 10_000;

/** What a night fills in beside the settings; a setting of the same name wins. */
export const POINT_PLACES = ['out', 'data', 'config', 'raw', 'home', 'seed'] as const;
export type PointPlaces = Readonly<Record<(typeof POINT_PLACES)[number], string>>;

/** The points in the order of the file. The same definition gives the same points, also when a night is resumed. */
export function planPoints(matrix: MatrixExperiment): readonly MatrixPoint[] {
  // The command is filled when the folders of the night are known: see pointCommand.
  const bare: MatrixExperiment = { ...matrix, run: { type: 'command', template: '' } };
  const { tests } = planTests({ file: matrix.name, dialect: 'native' }, [bare]);
  return tests.map((test, index) => ({ test, folder: testFolderName(index + 1, test.path) }));
}

/** The command of a point, each value one argument for the shell. */
export function pointCommand(template: string, { test }: MatrixPoint, places: PointPlaces): Filled {
  const parts = parseTemplate(template, 'native');
  // Ours leave alone what they do not understand: there is always a template.
  return typeof parts === 'string'
    ? { state: 'filled', text: template }
    : fillCommand(parts, textOfPoint(test, places));
}

/** Why the matrix cannot be run, if so. */
export function pointsProblem(matrix: MatrixExperiment, template: string): string | undefined {
  const count = countCombinations(matrix);
  if (count > MOST_POINTS) return `makes ${count} points; at most ${MOST_POINTS} fit into a night`;
  const points = planPoints(matrix);
  if (points.length === 0) return 'leaves no point: everything is excluded';
  const nowhere: PointPlaces = { out: '', data: '', config: '', raw: '', home: '', seed: '' };
  for (const point of points) {
    if (point.test.problem !== undefined) return point.test.problem;
    const filled = pointCommand(template, point, nowhere);
    if (filled.state === 'filled') continue;
    const known = [...Object.keys(point.test.settings), ...POINT_PLACES].join(', ');
    return `does not set {${filled.name}}, which run needs, at ${point.folder} (there are: ${known}; for the text itself write {{${filled.name}}})`;
  }
  return undefined;
}

function textOfPoint({ settings, texts }: PlannedTest, places: PointPlaces): TextOf {
  return (name) => {
    const key = [name, `@${name}`].find((one) => Object.hasOwn(settings, one));
    if (key !== undefined) return texts[key] ?? templateText(settings[key] ?? null, 'native');
    return Object.hasOwn(places, name) ? places[name as keyof PointPlaces] : undefined;
  };
}
