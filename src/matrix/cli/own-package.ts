import { register } from 'node:module';
import { packageFile } from '../../platform/core/package-file.ts';

let isRegistered = false;

/** Lets a module import "nightmark/workload" from this installation where none is installed beside it. */
export function offerOwnPackage(): void {
  if (isRegistered) return;
  isRegistered = true;
  const own = packageFile(import.meta.url, 'dist/public/workload.js');
  const hook = `export const resolve = async (name, context, next) => {
  try { return await next(name, context); } catch (error) {
    if (name !== 'nightmark/workload') throw error;
    return { url: ${JSON.stringify(own)}, shortCircuit: true };
  }
};`;
  register(`data:text/javascript,${encodeURIComponent(hook)}`);
}
