import type { Disk } from '../../platform/core/disk.ts';
import { NightmarkError } from '../../platform/core/errors.ts';
import { dirName, joinPath } from '../../platform/core/path.ts';

export interface MakeHomeRequest {
  /** Absolute folder; made when it is not there. */
  readonly home: string;
  /** Absolute folder of the template. */
  readonly template: string;
  /** Leave what is there and write only what is missing. */
  readonly fillIn: boolean;
  /** A file of this layout beside the new one would make two homes of one folder. */
  readonly otherLayout?: string;
}

export interface MadeHome {
  readonly home: string;
  readonly written: readonly string[];
  readonly kept: readonly string[];
}

interface TemplateFile {
  readonly from: string;
  readonly to: string;
}

/** Copies a template into a folder; never overwrites anything. */
export async function makeHome(request: MakeHomeRequest, disk: Disk): Promise<MadeHome> {
  const { home, template, fillIn } = request;
  await refuseFileOnTheWay(home, disk);
  const files = await listTemplate(template, '', disk);
  if (files.length === 0) {
    throw new NightmarkError('INIT_NO_TEMPLATE', `There is no template in ${template}.`, {
      hint: 'The installation is incomplete: install nightmark again.',
    });
  }
  await refuseOtherLayout(request, disk);

  const kept: string[] = [];
  for (const { to } of files) if (await isTaken(home, to, disk)) kept.push(to);
  if (kept.length > 0 && !fillIn) throw inTheWay(home, kept);

  const missing = files.filter(({ to }) => !kept.includes(to));
  await copyFiles(template, { home, files: missing }, disk);
  return { home, written: missing.map(({ to }) => to), kept };
}

async function refuseFileOnTheWay(home: string, disk: Disk): Promise<void> {
  let path = '';
  for (const part of home.split('/').slice(1)) {
    path = `${path}/${part}`;
    const facts = await disk.stat(path);
    if (facts === undefined) return;
    if (facts.type !== 'folder') {
      throw new NightmarkError(
        'INIT_NOT_A_FOLDER',
        `${path} is a file, so there can be no home in ${home}.`,
        {
          hint: 'Name another folder: nightmark init DIR.',
        },
      );
    }
  }
}

async function refuseOtherLayout({ home, otherLayout }: MakeHomeRequest, disk: Disk): Promise<void> {
  if (otherLayout === undefined || (await disk.stat(joinPath(home, otherLayout))) === undefined) return;
  throw new NightmarkError('INIT_OTHER_LAYOUT', `${home} is a home already: it has ${otherLayout}.`, {
    hint: 'Name another folder: nightmark init DIR.',
  });
}

async function listTemplate(template: string, below: string, disk: Disk): Promise<readonly TemplateFile[]> {
  const files: TemplateFile[] = [];
  for (const { name, type } of await disk.list(joinPath(template, below))) {
    const from = joinPath(below, name);
    if (type === 'folder') files.push(...(await listTemplate(template, from, disk)));
    // npm leaves files named .gitignore out of a package, so the template spells it without the dot.
    else files.push({ from, to: name === 'gitignore' ? joinPath(below, '.gitignore') : from });
  }
  return files;
}

/** True when the file is there, be it a link that leads nowhere; a file where a folder must be is an error. */
async function isTaken(home: string, file: string, disk: Disk): Promise<boolean> {
  const parts = file.split('/');
  let folder = home;
  for (const [index, part] of parts.entries()) {
    const isThere = (await disk.list(folder)).some(({ name }) => name === part);
    if (!isThere) return false;
    folder = joinPath(folder, part);
    const isLast = index === parts.length - 1;
    if (!isLast && (await disk.stat(folder))?.type !== 'folder') {
      throw new NightmarkError(
        'INIT_NOT_A_FOLDER',
        `${folder} is a file where a folder is needed for ${file}.`,
        {
          hint: 'Move it away, or name another folder: nightmark init DIR.',
        },
      );
    }
  }
  return true;
}

function inTheWay(home: string, files: readonly string[]): NightmarkError {
  const shown = files.slice(0, 10).map((file) => `  ${file}`);
  const more = files.length > shown.length ? [`  and ${files.length - shown.length} more`] : [];
  return new NightmarkError(
    'INIT_IN_THE_WAY',
    `${files.length} of the files are in ${home} already, nothing was written:\n${[...shown, ...more].join('\n')}`,
    { hint: 'Name another folder, or keep these and write only what is missing: nightmark init --force.' },
  );
}

/** By way of a folder beside, so that modes come along and a file appears whole or not at all. */
async function copyFiles(
  template: string,
  { home, files }: { readonly home: string; readonly files: readonly TemplateFile[] },
  disk: Disk,
): Promise<void> {
  if (files.length === 0) return;
  const staging = joinPath(home, '.nightmark-init');
  await disk.remove(staging);
  await disk.makeDir(staging);
  try {
    await disk.copyTree(template, staging);
    for (const { from, to } of files) {
      const target = joinPath(home, to);
      await disk.makeDir(dirName(target));
      await disk.rename(joinPath(staging, from), target);
    }
  } finally {
    await disk.remove(staging);
  }
}
