import { amountsIn } from './money';
import { anyOf, folded } from './words';

const LINES_LOOKED_AT = 8;
const NAME_MAX = 100;

/** Lines at the head of a receipt that are no name. */
const NO_NAME = anyOf([
  'receipt',
  'invoice',
  'welcome',
  'thank you',
  'kassenbon',
  'kassenbeleg',
  'quittung',
  'rechnung',
  'beleg',
  'willkommen',
  'ticket',
  'recu',
  'facture',
  'bienvenue',
  'recibo',
  'factura',
  'bienvenidos?',
  'paragon',
  'fiskalny',
  'faktura',
  'witamy',
  'datum',
  'date',
  'fecha',
  'data',
  'tel',
  'telefon',
  'phone',
  'fax',
  'nip',
  'siret',
  'nif',
  'cif',
  'vat',
  'ust',
  'steuer',
  'cashier',
  'kasse',
  'kasjer',
  'caisse',
  'caja',
  'order',
  'table',
  'tisch',
]);
const ADDRESS =
  /(?:(?:\bul|\bal|\bpl)\.|\bstr\.|(?:strasse|straBe|weg|platz|allee|gasse)\b|\b(?:street|road|avenue|lane|square|rue|boulevard|calle|avda|plaza)\b|\b\d{2}-\d{3}\b|\b\d{5}\b)/i;
const WEB = /www\.|https?:|@|\.(?:com|de|fr|es|pl)\b/i;

/** Who sold: the first line that can be a name; null where none can. */
export function merchantOf(lines: readonly string[]): string | null {
  const name = lines.slice(0, LINES_LOOKED_AT).find(canBeName);
  return name === undefined ? null : trimmed(name).slice(0, NAME_MAX);
}

function canBeName(line: string): boolean {
  const name = trimmed(line);
  const words = folded(line);
  const letters = name.match(/\p{L}/gu)?.length ?? 0;
  const digits = name.match(/\d/g)?.length ?? 0;
  if (letters < 3 || digits > letters || letters < name.replaceAll(' ', '').length / 2)
    return false;
  if (NO_NAME.test(words) || ADDRESS.test(words) || WEB.test(line)) return false;
  return amountsIn(line).length === 0;
}

/** Without the ornaments around it. */
function trimmed(line: string): string {
  return line.replace(/^[^\p{L}\d]+|[^\p{L}\d.!&)]+$/gu, '').replace(/\s{2,}/g, ' ');
}
