import { copyFile, mkdir, writeFile } from 'node:fs/promises';
import { basename, extname, isAbsolute, join, relative, resolve } from 'node:path';

export interface ImageOptions {
  readonly step?: number | bigint;
}

/** The path of the picture below the output folder; it is copied there unless it is there already. */
export async function imageInOutput(
  outputDir: string,
  name: string,
  picture: Uint8Array | string,
  { step }: ImageOptions = {},
): Promise<string> {
  if (typeof picture === 'string') {
    const path = relative(resolve(outputDir), resolve(picture));
    if (!isAbsolute(path) && path !== '..' && !path.startsWith('../')) return path;
  }
  const ending = typeof picture === 'string' ? extname(basename(picture)) : endingOf(picture);
  const path = join('images', `${fileName(name)}${step === undefined ? '' : `-${step}`}${ending}`);
  await mkdir(join(outputDir, 'images'), { recursive: true });
  if (typeof picture === 'string') await copyFile(picture, join(outputDir, path));
  else await writeFile(join(outputDir, path), picture);
  return path;
}

/** A valid file name, whatever the name of the picture is. */
function fileName(name: string): string {
  return (
    name
      .replace(/[^\p{L}\p{N}._-]+/gu, '_')
      .replace(/^\.+/, '_')
      .slice(0, 100) || '_'
  );
}

function endingOf(bytes: Uint8Array): string {
  if (bytes[0] === 0x89 && bytes[1] === 0x50) return '.png';
  if (bytes[0] === 0xff && bytes[1] === 0xd8) return '.jpg';
  if (bytes[0] === 0x47 && bytes[1] === 0x49) return '.gif';
  if (bytes[0] === 0x52 && bytes[8] === 0x57) return '.webp';
  return bytes[0] === 0x3c ? '.svg' : '.bin';
}
