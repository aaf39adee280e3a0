/** Where a file of a job is fetched; slashes stay what they are. */
export function fileAddress(id: string, path: string): string {
  return `/file/${encodeURIComponent(id)}/${path.split('/').map(encodeURIComponent).join('/')}`;
}
