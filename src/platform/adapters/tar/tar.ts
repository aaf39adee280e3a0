import type { Archiver } from '../../core/archiver.ts';
import { packFolder } from './pack.ts';
import { contentBytes, listArchive } from './read-archive.ts';
import { unpackArchive } from './unpack.ts';

/** Gzipped tar, as the nightly dashboard has always written it and every system can read it. */
export const tarArchiver: Archiver = {
  pack: packFolder,
  list: listArchive,
  contentBytes,
  unpack: unpackArchive,
};
