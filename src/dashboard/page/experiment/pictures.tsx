import { useFileAddress } from '../../../platform/page/data/file-address.ts';
import { Image } from '../../../platform/page/parts/display.tsx';
import type { ExperimentView } from '../../app/read-experiment.ts';

/** The graphs of the last night, as the visualize stage drew them. */
export function Pictures({ view: { name, graphs } }: { readonly view: ExperimentView }) {
  if (graphs.files.length === 0) return null;
  return (
    <section>
      <h2>Graphs of its scripts</h2>
      <div class="pictures">
        {graphs.files.map((file) => (
          <Picture key={file} experiment={name} file={file} />
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

function Picture({ experiment, file }: { readonly experiment: string; readonly file: string }) {
  const address = useFileAddress('graph', experiment, file);
  if (address === undefined) return <span class="quiet">{file} is not part of this copy.</span>;
  return (
    <a href={address}>
      <Image address={address} name={file} />
      <span class="quiet">{file}</span>
    </a>
  );
}
