import type { Disk } from '../../platform/core/disk.ts';
import { NightmarkError } from '../../platform/core/errors.ts';
import { joinPath, whyInvalidName } from '../../platform/core/path.ts';
import { pythonJson } from '../../platform/core/text/json.ts';
import { type MadeHome, makeHome } from './make-home.ts';

export interface MakeExperimentRequest {
  /** Absolute folder of a home that is there. */
  readonly home: string;
  readonly name: string;
  /** Absolute folder with the files of the experiment. */
  readonly template: string;
  /** A command of one stage: how the file of the template is started. */
  readonly minimal?: { readonly program: string; readonly file: string };
  readonly fillIn: boolean;
}

export interface MadeExperiment extends MadeHome {
  /** Lines that must be put into nightmark.yml by hand, as we could not; empty: nothing is left to do. */
  readonly toAdd: string;
}

/** Writes an experiment into a home of either layout; never overwrites anything. */
export async function makeExperiment(request: MakeExperimentRequest, disk: Disk): Promise<MadeExperiment> {
  const { home, name, template, fillIn, minimal } = request;
  checkName(name);
  const native = joinPath(home, 'nightmark.yml');
  const text = await disk.readText(native);
  const isDashboard = text === undefined;
  if (isDashboard && !(await isDashboardHome(home, disk))) {
    throw new NightmarkError(
      'CLI_NO_HOME',
      `${home} is not a home: it has neither nightmark.yml nor config.json.`,
      {
        hint: 'Make one first: nightmark init DIR, or nightmark init DIR --dashboard.',
      },
    );
  }
  if (isDashboard && minimal) {
    throw new NightmarkError(
      'INIT_MINIMAL',
      'In a home with config.json an experiment needs all its stages.',
      {
        hint: 'Leave --minimal out, or use a home with nightmark.yml.',
      },
    );
  }
  const made = await makeHome({ home: joinPath(home, 'experiments', name), template, fillIn }, disk);
  const written = made.written.map((file) => `experiments/${name}/${file}`);
  if (isDashboard) {
    const config = `config/experiments/${name}/config.json`;
    if ((await disk.stat(joinPath(home, config))) !== undefined) return { ...made, home, written, toAdd: '' };
    await disk.writeText(joinPath(home, config), `${pythonJson({ active: true, title: name })}\n`);
    return { ...made, home, written: [...written, config], toAdd: '' };
  }
  const entry = entryOf(request);
  const changed = withEntry(text, entry);
  if (changed !== undefined) await disk.writeText(native, changed);
  const files = changed === undefined ? written : [...written, 'nightmark.yml'];
  return { ...made, home, written: files, toAdd: changed === undefined ? `experiments:\n${entry}` : '' };
}

function checkName(name: string): void {
  const reason =
    whyInvalidName(name) ??
    (/^[\w][\w .-]*$/.test(name) ? undefined : 'it has characters that shells and YAML use');
  if (reason === undefined) return;
  throw new NightmarkError('INIT_NAME', `"${name}" cannot be the name of an experiment: ${reason}.`, {
    hint: 'Letters, digits, "-", "_" and "." will do.',
  });
}

async function isDashboardHome(home: string, disk: Disk): Promise<boolean> {
  for (const file of ['config.json', 'config/config.json']) {
    if ((await disk.stat(joinPath(home, file))) !== undefined) return true;
  }
  return false;
}

function entryOf({ name, minimal }: MakeExperimentRequest): string {
  const folder = JSON.stringify(`experiments/${name}`);
  const lines = minimal
    ? [
        `run: ${JSON.stringify(`${minimal.program} 'experiments/${name}/${minimal.file}'`)}`,
        'results: { format: csv, value: seconds, name: case, unit: s, better: lower }',
      ]
    : [`folder: ${folder}`, `config: { title: ${JSON.stringify(name)} }`];
  return [`  ${JSON.stringify(name)}:`, ...lines.map((line) => `    ${line}`), ''].join('\n');
}

/** The definition with one more experiment, right below "experiments:"; undefined where it is not written as a block. */
function withEntry(text: string, entry: string): string | undefined {
  const key = /^experiments:[ \t]*(?:#.*)?\r?\n/m.exec(text);
  if (key) {
    const end = key.index + key[0].length;
    const indent = /^(?:[ \t]*(?:#.*)?\r?\n)*( +)\S/.exec(text.slice(end))?.[1]?.length ?? 2;
    const fitting =
      indent === 2 ? entry : entry.replace(/^ +/gm, (spaces) => ' '.repeat((spaces.length / 2) * indent));
    return text.slice(0, end) + fitting + text.slice(end);
  }
  if (/^experiments\b/m.test(text)) return undefined;
  return `${text}${text.endsWith('\n') || text === '' ? '' : '\n'}experiments:\n${entry}`;
}
