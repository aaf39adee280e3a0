/** An address below the public one of a page; a name is one part of the path, whatever is in it. */
export function pageLink(
  page: string | undefined,
  kind: 'experiments' | 'runs' | 'changes',
  name?: string,
): { readonly link?: string } {
  if (page === undefined) return {};
  const path =
    name === undefined ? kind : `${kind}/${encodeURIComponent(name.replace(/\p{Cs}/gu, '\ufffd'))}`;
  return { link: `${page.replace(/\/+$/, '')}/${path}` };
}
