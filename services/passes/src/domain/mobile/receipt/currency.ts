/** How currencies are written on receipts; the more exact way before the one that it contains. */
const MARKS: readonly [code: string, mark: RegExp][] = [
  ['EUR', /€|\beuros?\b|\beur\b/i],
  ['CAD', /\bcad\b|\bca?\$/i],
  ['AUD', /\baud\b|\bau?\$/i],
  ['MXN', /\bmxn\b|\bmx\$/i],
  ['BRL', /\bbrl\b|\br\$/i],
  ['USD', /\$|\busd\b/i],
  ['GBP', /£|\bgbp\b/i],
  ['PLN', /\bpln\b|(?<![\p{L}])z[łl](?![\p{L}])/iu],
  ['CHF', /\bchf\b|\bsfr\b/i],
  ['CZK', /\bczk\b|(?<![\p{L}])kč(?![\p{L}])/iu],
  ['HUF', /\bhuf\b|(?<=\d\s?)ft\b/i],
  ['SEK', /\bsek\b/i],
  ['NOK', /\bnok\b/i],
  ['DKK', /\bdkk\b/i],
  ['RON', /\bron\b|(?<=\d\s?)lei\b/i],
  ['UAH', /₴|\buah\b/i],
  ['JPY', /¥|\bjpy\b/i],
];

/** The currency that a text names; null where it names none. */
export function currencyIn(text: string): string | null {
  return MARKS.find(([, mark]) => mark.test(text))?.[0] ?? null;
}

/** The currency that most lines name. */
export function prevailingCurrency(lines: readonly string[]): string | null {
  const counts = new Map<string, number>();
  for (const line of lines) {
    const code = currencyIn(line);
    if (code) counts.set(code, (counts.get(code) ?? 0) + 1);
  }
  const [most] = [...counts].sort(([, a], [, b]) => b - a);
  return most?.[0] ?? null;
}
