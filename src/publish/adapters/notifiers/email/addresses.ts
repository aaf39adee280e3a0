import { NightmarkError } from '../../../../platform/core/errors.ts';
import { visible } from '../../../../platform/core/text/terminal-text.ts';

/** Plain addresses, one each. A line break would begin a header of its own, a comma a further receiver. */
export function mailAddresses(addresses: readonly string[]): readonly string[] {
  for (const address of addresses) {
    if (address.length <= 254 && /^[^\s\p{Cc}@,;:<>"()[\]\\]+@[^\s\p{Cc}@,;:<>"()[\]\\]+$/u.test(address))
      continue;
    throw new NightmarkError('NOTIFY_BAD_ADDRESS', `"${visible(address.slice(0, 80))}" is no mail address.`, {
      hint: 'A plain one, such as perf@example.org; several are a list.',
    });
  }
  return addresses;
}
