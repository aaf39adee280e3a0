import type { ExperimentView } from '../../../app/read-experiment.ts';
import { theSource } from '../../data/source.ts';

/** The graphs of the last night, as the visualize stage drew them. */
export function Pictures({ view: { name, graphs } }: { readonly view: ExperimentView }) {
  if (graphs.files.length === 0) return null;
  return (
    <section>
      <h2>Graphs of its scripts</h2>
      <div class="pictures">
        {graphs.files.map((file) => (
          <a key={file} href={fileAddress('graph', name, file)}>
            <img src={fileAddress('graph', name, file)} alt={file} loading="lazy" />
            <span class="quiet">{file}</span>
          </a>
        ))}
      </div>
      {graphs.isCut && (
        <p class="quiet">
          There are more pictures in results/experiments/graph; the first {graphs.files.length} are shown.
        </p>
      )}
    </section>
  );
}

/** A file of the experiment; in a static site beside its page. */
export function fileAddress(kind: 'graph' | 'data', experiment: string, file: string): string {
  const path = [kind, experiment, ...file.split('/')].map(encodeURIComponent).join('/');
  return theSource().isLive ? `/files/${path}` : `files/${path}`;
}
