import { useState } from 'preact/hooks';

interface ImageProps {
  readonly address: string;
  readonly name: string;
}

/** A picture that somebody's script made. What is none is said to be: the mark of the browser tells nobody what is wrong. */
export function Image({ address, name }: ImageProps) {
  const [broken, setBroken] = useState<string>();
  if (broken === address)
    return <span class="quiet">This cannot be shown as a picture; a click opens the file. </span>;
  return <img src={address} alt={name} loading="lazy" onError={() => setBroken(address)} />;
}
