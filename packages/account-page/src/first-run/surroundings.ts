/** Currencies that are no euro, by the beginning of the zones where they are paid with: a proposal, to be changed. */
const BY_ZONE: readonly [RegExp, string][] = [
  [/^Europe\/London$/, 'GBP'],
  [/^Europe\/Warsaw$/, 'PLN'],
  [/^Europe\/Zurich$/, 'CHF'],
  [/^Europe\/Prague$/, 'CZK'],
  [/^Europe\/Stockholm$/, 'SEK'],
  [/^Europe\/Oslo$/, 'NOK'],
  [/^Europe\/Copenhagen$/, 'DKK'],
  [/^Europe\/Budapest$/, 'HUF'],
  [/^Europe\//, 'EUR'],
  [/^America\/(Toronto|Vancouver|Montreal|Halifax|Winnipeg|Edmonton)$/, 'CAD'],
  [/^America\/(Mexico_City|Monterrey|Cancun)$/, 'MXN'],
  [/^America\/(Sao_Paulo|Bahia|Fortaleza)$/, 'BRL'],
  [/^America\//, 'USD'],
  [/^Australia\//, 'AUD'],
  [/^Asia\/Tokyo$/, 'JPY'],
];

export const zoneHere = (): string => new Intl.DateTimeFormat().resolvedOptions().timeZone;

export const currencyOf = (zone: string): string =>
  BY_ZONE.find(([pattern]) => pattern.test(zone))?.[1] ?? 'EUR';

/** Every currency that the browser knows, the one that is proposed among them. */
export const currencies = (): string[] =>
  [...new Set([currencyOf(zoneHere()), ...Intl.supportedValuesOf('currency')])].sort();

/** Every zone that the browser knows, the one it is in among them. */
export function timeZones(): string[] {
  return [...new Set([zoneHere(), 'UTC', ...Intl.supportedValuesOf('timeZone')])].sort();
}
