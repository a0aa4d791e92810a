import { isCutOff } from './cents';
import { currencyIn } from './currency';
import { amountsIn, wholeAmountsIn } from './money';
import { anyOf, folded } from './words';

/** What is to be paid, in so many words (en, de, fr, es, pl). */
const CERTAIN = anyOf([
  'grand total',
  'total due',
  'amount due',
  'balance due',
  'total amount',
  'total to pay',
  'amount to pay',
  'gesamtbetrag',
  'gesamtsumme',
  'endbetrag',
  'endsumme',
  'rechnungsbetrag',
  'zahlbetrag',
  'zu zahlen',
  'total ttc',
  'net a payer',
  'total a payer',
  'montant total',
  'montant du',
  'montant ttc',
  'importe total',
  'total a pagar',
  'a pagar',
  'total factura',
  'do zaplaty',
  'suma pln',
  'razem pln',
  'suma do zaplaty',
]);
const LIKELY = anyOf([
  'total',
  'totale',
  'gesamt',
  'summe',
  'suma',
  'razem',
  'naleznosc',
  'importe',
  'montant',
  'betrag',
  'amount',
  'ttc',
]);
/** Sums that are not what is to be paid: parts of it, taxes, counts. */
const OTHER_SUM = anyOf([
  'sub ?-?total',
  'zwischen ?-?summe',
  'sous ?-?total',
  'podsuma',
  'suma czesciowa',
  'total ht',
  'total h\\.t\\.?',
  'hors taxes?',
  'net total',
  'netto',
  'base imponible',
  'sprzedaz opodatkowana',
  'tax(?:es)?',
  'vat',
  'mwst',
  'm\\.w\\.st\\.?',
  'ust',
  'steuer',
  'tva',
  'iva',
  'ptu',
  'discounts?',
  'savings?',
  'you saved',
  'rabatt?',
  'ersparnis',
  'remise',
  'descuento',
  'items?',
  'artikel',
  'articles?',
  'articulos',
  'points?',
  'punkte',
  'puntos',
  'punkty',
]);
/** What was handed over and given back. */
const PAYING = anyOf([
  'cash',
  'change',
  'tendered',
  'bar',
  'gegeben',
  'ruckgeld',
  'zuruck',
  'especes',
  'rendu',
  'efectivo',
  'entregado',
  'cambio',
  'gotowka',
  'reszta',
  'wplata',
]);

interface Candidate {
  amount: number;
  line: string;
}

/** What was to be paid, and the line that says so; null where no line does. */
export function totalOf(lines: readonly string[]): Candidate | null {
  const sums = lines.map((line, place) => ({ words: folded(line), place }));
  for (const named of [CERTAIN, LIKELY]) {
    const found = sums
      .filter(({ words }) => named.test(words) && isSumToPay(words, named))
      .flatMap(({ place }) => amountAt(lines, place) ?? []);
    if (found.length > 0) return found.reduce((a, b) => (b.amount > a.amount ? b : a));
    // A total that cannot be read whole is not to be made up from other prices.
    const isCut = sums.some(
      ({ words, place }) =>
        named.test(words) && isSumToPay(words, named) && isCutOff(lines[place]!),
    );
    if (isCut) return null;
  }
  return largestPrice(lines);
}

/** `Total (incl. VAT) 8.20` is what is to be paid, `Total VAT 0.54` is not. */
function isSumToPay(words: string, named: RegExp): boolean {
  if (named === CERTAIN || !OTHER_SUM.test(words)) return true;
  const withoutAside = words.replace(/\(.*?\)|\b(?:incl?|inkl|zzgl|dont|incluido)\b.*/g, ' ');
  return named.test(withoutAside) && !OTHER_SUM.test(withoutAside);
}

/** On the line itself, or else alone on the next. */
function amountAt(lines: readonly string[], place: number): Candidate | null {
  const line = lines[place]!;
  const own = lastPositive(amountsIn(line)) ?? lastPriced(line);
  if (own !== null) return { amount: own, line };
  const next = lines[place + 1] ?? '';
  if (/\p{L}{4,}/u.test(next)) return null;
  const below = lastPositive(amountsIn(next)) ?? lastPriced(next);
  return below === null ? null : { amount: below, line: `${line} ${next}` };
}

/** A number without decimals is an amount where a currency stands beside it. */
function lastPriced(line: string): number | null {
  return currencyIn(line) === null ? null : lastPositive(wholeAmountsIn(line));
}

/** Where no line names a total: the largest amount with a currency that was neither handed over nor given back. */
function largestPrice(lines: readonly string[]): Candidate | null {
  const prices = lines.flatMap((line): Candidate[] => {
    const words = folded(line);
    if (PAYING.test(words) || OTHER_SUM.test(words) || currencyIn(line) === null) return [];
    const amount = lastPositive(amountsIn(line));
    return amount === null ? [] : [{ amount, line }];
  });
  return prices.length === 0 ? null : prices.reduce((a, b) => (b.amount > a.amount ? b : a));
}

function lastPositive(amounts: readonly number[]): number | null {
  return amounts.filter((amount) => amount > 0).at(-1) ?? null;
}
