import type { Json, JsonObject } from '@laurel/errors';
import type { PassFacts } from './facts';

/** Everything that placeholders may be filled with; overrides of the pass come before what is known of the client. */
type Facts = { passFields: JsonObject } & Pick<
  PassFacts,
  'identity' | 'customFields' | 'wallets' | 'tier' | 'referralCode'
>;

const PLACEHOLDER = /\{\{\s*([^{}]*?)\s*\}\}|\$\{\s*([^{}]*?)\s*\}/g;
const CUSTOM_FIELD = /^custom_fields\.(.+)$/;
const WALLET = /^wallet(?::([^.]+))?\.(points|name|unit_singular_name|unit_plural_name)$/;

/** The text with every placeholder filled; what nothing fills is left out. */
export function fillPlaceholders(text: string, facts: Facts): string {
  return text.replace(PLACEHOLDER, (_whole, field?: string, expression?: string) =>
    shown(field === undefined ? expressionValue(expression!, facts) : fieldValue(field, facts)),
  );
}

function fieldValue(name: string, { passFields, identity, customFields }: Facts): Json {
  const key = CUSTOM_FIELD.exec(name)?.[1] ?? name;
  if (Object.hasOwn(passFields, key)) return passFields[key]!;
  if (key === name && identity && Object.hasOwn(identity, name)) return identity[name]!;
  return Object.hasOwn(customFields, key) ? customFields[key]! : null;
}

function expressionValue(expression: string, facts: Facts): Json {
  if (CUSTOM_FIELD.test(expression)) return fieldValue(expression, facts);
  if (expression === 'loyalty.tier') return facts.tier?.name ?? null;
  if (expression === 'loyalty.tier_level') return facts.tier?.level ?? null;
  if (expression === 'loyalty.referral_code') return facts.referralCode;
  const wallet = WALLET.exec(expression);
  if (!wallet) return null;
  const [, code, member] = wallet;
  const found = facts.wallets.find((one) =>
    code === undefined ? one.is_default : one.code === code,
  );
  return found?.[member as 'points'] ?? null;
}

function shown(value: Json): string {
  if (value === null) return '';
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}
