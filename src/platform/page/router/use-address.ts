import { useEffect, useState } from 'preact/hooks';
import { type Address, currentAddress, goTo, onAddress } from './address.ts';

/** Drawn anew when the reader goes elsewhere. */
export function useAddress(): Address {
  const [address, setAddress] = useState(currentAddress);
  useEffect(() => onAddress(() => setAddress(currentAddress())), []);
  return address;
}

/** One parameter of the address, and how to set it; undefined or '' takes it away. */
export function useParameter(
  name: string,
): readonly [string | undefined, (value: string | undefined) => void] {
  const { query } = useAddress();
  return [query.get(name) ?? undefined, (value) => setParameters({ [name]: value })];
}

/** All values of a parameter that may stand there several times. */
export function useParameters(name: string): readonly string[] {
  return useAddress().query.getAll(name);
}

/** Sets several parameters at once and leaves the others; as a finer choice it makes no step in the history. */
export function setParameters(
  values: Readonly<Record<string, string | readonly string[] | undefined>>,
  { isStep = false } = {},
): void {
  const { path, query } = currentAddress();
  for (const [name, value] of Object.entries(values)) {
    query.delete(name);
    for (const one of [value ?? []].flat()) if (one !== '') query.append(name, one);
  }
  const text = query.toString();
  goTo(text === '' ? path : `${path}?${text}`, { isReplacing: !isStep });
}
