const PLACEHOLDER = /\{\{\s*([^{}]*?)\s*\}\}|\$\{\s*([^{}]*?)\s*\}/g;
const FIELDS: Readonly<Record<string, string>> = {
  first_name: 'Frieda',
  last_name: 'Weber',
  email: 'frieda@example.com',
  phone: '030 1234567',
};

/** A text as somebody with a card would see it. What the platform fills with nothing is left out here, too. */
export const withSamples = (text: string): string =>
  text.replace(PLACEHOLDER, (_whole, field?: string, expression?: string) =>
    field === undefined ? sampleOf(expression ?? '') : (FIELDS[field] ?? ownOf(field)),
  );

function sampleOf(expression: string): string {
  if (/^wallet(:[^.]+)?\.points$/.test(expression)) return '120';
  if (expression.startsWith('wallet')) return 'Points';
  if (expression === 'loyalty.tier') return 'Gold';
  if (expression === 'loyalty.tier_level') return '2';
  if (expression === 'loyalty.referral_code') return 'FRIEDA12';
  return '';
}

/** An own field of the shop: what it holds is anybody's guess. */
const ownOf = (field: string): string => (/^(custom_fields\.)?\w+$/.test(field) ? '…' : '');
