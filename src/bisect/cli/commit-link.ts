/** The page of a commit where the remote is one of the usual forges; undefined for a path or an unknown form. */
export function commitLink(remote: string | undefined, commit: string): string | undefined {
  const [, host, path] =
    /^(?:https?:\/\/|ssh:\/\/|git:\/\/)(?:[^@/]*@)?([\w.-]+)(?::\d+)?\/(.+?)(?:\.git)?\/?$/.exec(
      remote ?? '',
    ) ??
    /^(?:[\w.-]+@)([\w.-]+):(?!\/)(.+?)(?:\.git)?\/?$/.exec(remote ?? '') ??
    [];
  if (host === undefined || path === undefined || !/^[\w./~-]+$/.test(path)) return undefined;
  if (host.includes('gitlab')) return `https://${host}/${path}/-/commit/${commit}`;
  if (host.includes('bitbucket')) return `https://${host}/${path}/commits/${commit}`;
  return `https://${host}/${path}/commit/${commit}`;
}
