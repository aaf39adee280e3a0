const NAMED: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

/** Text of XML or HTML with its five names and its numbers as the characters they stand for. */
export function unescapeMarkup(text: string): string {
  return text.replace(/&(?:#(\d{1,7})|#x([\da-f]{1,6})|(amp|lt|gt|quot|apos));/gi, (all, ten, hex, named) => {
    if (named !== undefined) return NAMED[String(named).toLowerCase()] ?? all;
    const code = ten === undefined ? Number.parseInt(String(hex), 16) : Number(ten);
    return code <= 0x10ffff ? String.fromCodePoint(code) : all;
  });
}
