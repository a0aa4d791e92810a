import { text } from '../markup';
import { clearest } from '../portal-page/colour';

/**
 * An icon for the tab of a page, as a data address: a letter in the shop's colour. Its logo would be fetched from
 * elsewhere before anybody agreed to that.
 *
 * @param colour #RRGGBB
 */
export function icon(name: string, colour: string): string {
  const letter = text([...name.trim().toUpperCase()][0] ?? 'L');
  const ink = clearest(['#ffffff', '#000000'], colour);
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="9" fill="${colour}"/><text x="16" y="22.5" font-family="sans-serif" font-size="18" font-weight="700" text-anchor="middle" fill="${ink}">${letter}</text></svg>`;
  return `data:image/svg+xml,${encodeURIComponent(svg)}`;
}
