/** Names of the archives of a night, as the nightly dashboard has always given them. */

export function backupName(label: string, moment: 'before' | 'after'): string {
  return `dashboard_${label}${moment === 'after' ? '_after' : ''}.tar.gz`;
}

export function rawArchiveName(label: string): string {
  return `benchmarks_${label}_data.tar.gz`;
}

/** The label in the name of a backup; undefined for any other name. */
export function labelOfBackup(name: string): string | undefined {
  return /^dashboard_([^/]+?)(?:_after)?\.tar\.gz$/.exec(name)?.[1];
}

/** The label in the name of a raw archive; undefined for any other name. */
export function labelOfRawArchive(name: string): string | undefined {
  return /^benchmarks_([^/]+)_data\.tar\.gz$/.exec(name)?.[1];
}
