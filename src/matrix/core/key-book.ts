import { identityOf, keyText, type Settings } from '../../formats/core/kpi/matrix-entry.ts';

/** Who has which settings: the first one to claim them keeps them. */
export interface KeyBook {
  claim(settings: Settings, location: string): Claimed;
}

export type Claimed =
  /** `lookalike` has the same key text with values of other types: 4 and "4". */
  | { readonly state: 'new'; readonly key: string; readonly lookalike?: string }
  | { readonly state: 'taken'; readonly key: string; readonly by: string };

interface Claim {
  readonly settings: Settings;
  readonly location: string;
}

/** With `isCompat`, settings that look the same are the same, as in the original. */
export function createKeyBook(isCompat: boolean): KeyBook {
  const claims = new Map<string, Claim | Claim[]>();
  return {
    claim(settings, location) {
      const key = keyText(settings);
      const known = claims.get(key);
      const claim = { settings, location };
      if (known === undefined) {
        claims.set(key, claim);
        return { state: 'new', key };
      }
      const all = Array.isArray(known) ? known : [known];
      const [first] = all;
      // Rarely needed: made only for settings that look the same.
      const identity = identityOf(settings);
      const same = isCompat ? first : all.find((one) => identityOf(one.settings) === identity);
      if (same) return { state: 'taken', key, by: same.location };
      claims.set(key, [...all, claim]);
      return { state: 'new', key, lookalike: first?.location ?? '' };
    },
  };
}
