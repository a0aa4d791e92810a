import type { Json, JsonObject } from '@laurel/errors';

/** What a client has in one wallet, as passes show it. */
export interface WalletFacts {
  code: string;
  is_default: boolean;
  points: number;
  name: string;
  unit_singular_name: string | null;
  unit_plural_name: string | null;
}

/** Everything that placeholders may be filled with. */
export interface PassFacts {
  /** Overrides of this pass; they come before what is known of the client. */
  passFields: JsonObject;
  /** Columns of the client that say who it is; null for a pass without one. */
  identity: Readonly<Record<string, Json>> | null;
  customFields: JsonObject;
  wallets: readonly WalletFacts[];
  tier: { name: string; level: number } | null;
  referralCode: string | null;
}

/** Columns of a client that `{{field}}` may name; any other name is that of a custom field or an override. */
export const IDENTITY_FIELDS = ['first_name', 'last_name', 'email', 'phone', 'birth_date'] as const;

const PLACEHOLDER = /\{\{\s*([^{}]*?)\s*\}\}|\$\{\s*([^{}]*?)\s*\}/g;
const CUSTOM_FIELD = /^custom_fields\.(.+)$/;
const WALLET = /^wallet(?::([^.]+))?\.(points|name|unit_singular_name|unit_plural_name)$/;
const LOYALTY = new Set(['loyalty.tier', 'loyalty.tier_level', 'loyalty.referral_code']);

/**
 * The text with every placeholder filled; what nothing fills is left out. `escapeValue` makes values safe for what the text is
 * written in, e.g. HTML.
 */
export function fillPlaceholders(
  text: string,
  facts: PassFacts,
  escapeValue: (value: string) => string = (value) => value,
): string {
  return text.replace(PLACEHOLDER, (_whole, field?: string, expression?: string) => {
    const value =
      field === undefined ? expressionValue(expression!, facts) : fieldValue(field, facts);
    return escapeValue(shown(value));
  });
}

/** Anything to read: letters or digits. */
const READABLE = /[\p{L}\p{N}]/u;

/**
 * The text as it is shown to people: where a placeholder has no value, neither the spaces nor the punctuation around it
 * are left alone on the card.
 */
export function tidyText(text: string, facts: PassFacts): string {
  let isComplete = true;
  const filled = fillPlaceholders(text, facts, (value) => {
    if (value === '') isComplete = false;
    return value;
  });
  if (isComplete) return filled;
  const tidy = filled.replace(/ {2,}/g, ' ').trim();
  return READABLE.test(tidy) ? tidy : '';
}

function fieldValue(name: string, { passFields, identity, customFields }: PassFacts): Json {
  const key = CUSTOM_FIELD.exec(name)?.[1] ?? name;
  if (Object.hasOwn(passFields, key)) return passFields[key]!;
  if (key === name && isIdentityField(name)) return identity?.[name] ?? null;
  return Object.hasOwn(customFields, key) ? customFields[key]! : null;
}

/** The fields of a client that the text shows, custom ones by their bare names. */
export function fieldsIn(text: string): string[] {
  return [...text.matchAll(PLACEHOLDER)].flatMap(([, field, expression]) => {
    const named = field ?? expression!;
    const custom = CUSTOM_FIELD.exec(named)?.[1];
    return custom ?? (field === undefined ? [] : field);
  });
}

function expressionValue(expression: string, facts: PassFacts): Json {
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
  return found?.[member as keyof WalletFacts] ?? null;
}

function shown(value: Json): string {
  if (value === null) return '';
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

function isIdentityField(name: string): boolean {
  return (IDENTITY_FIELDS as readonly string[]).includes(name);
}

/** What of a workspace placeholders may name. */
export interface KnownNames {
  /** Custom fields, and the pass fields that tiers fill. */
  fields: ReadonlySet<string>;
  walletCodes: ReadonlySet<string>;
}

export interface PlaceholderWarning {
  field: string;
  placeholder: string;
  message: string;
}

/** Something that was begun like a placeholder, and is none. */
const BROKEN = /\{\{[^{}]*|\$\{[^{}]*/;

function brokenPlaceholder(field: string, text: string): PlaceholderWarning[] {
  const [placeholder] = BROKEN.exec(text.replace(PLACEHOLDER, '')) ?? [];
  return placeholder === undefined
    ? []
    : [{ field, placeholder, message: 'the placeholder is not closed; it is shown as it stands' }];
}

/** Every placeholder of the text that nothing of the workspace will ever fill. */
export function placeholderWarnings(
  field: string,
  text: string,
  known: KnownNames,
): PlaceholderWarning[] {
  const unfilled = [...text.matchAll(PLACEHOLDER)].flatMap(([placeholder, name, expression]) => {
    const message =
      name === undefined ? expressionProblem(expression!, known) : fieldProblem(name, known);
    return message === null ? [] : [{ field, placeholder, message }];
  });
  return [...unfilled, ...brokenPlaceholder(field, text)];
}

function fieldProblem(name: string, { fields }: KnownNames): string | null {
  const custom = CUSTOM_FIELD.exec(name)?.[1] ?? name;
  if (custom === name && isIdentityField(name)) return null;
  return fields.has(custom) ? null : `there is no field ${custom} in the data model`;
}

function expressionProblem(expression: string, known: KnownNames): string | null {
  if (LOYALTY.has(expression)) return null;
  if (CUSTOM_FIELD.test(expression)) return fieldProblem(expression, known);
  if (expression === 'loyalty.points')
    return 'loyalty.points was removed; use wallet.points or wallet:<code>.points';
  const code = WALLET.exec(expression);
  if (!code) return `${expression} is not known`;
  if (code[1] === undefined || known.walletCodes.has(code[1])) return null;
  return `there is no wallet type with the code ${code[1]}`;
}

/** Which services a text needs to be asked for. */
export interface FactNeeds {
  wallets: boolean;
  tier: boolean;
  referralCode: boolean;
}

export function factNeeds(texts: readonly string[]): FactNeeds {
  const names = texts.flatMap((text) => [...text.matchAll(PLACEHOLDER)].map((match) => match[2]));
  const isAny = (prefix: string) => names.some((name) => name?.startsWith(prefix));
  return {
    wallets: isAny('wallet'),
    tier: isAny('loyalty.tier'),
    referralCode: isAny('loyalty.referral_code'),
  };
}

/** The placeholders of a text, as they stand there. */
export function placeholdersIn(text: string): string[] {
  return [...text.matchAll(PLACEHOLDER)].map(([placeholder]) => placeholder);
}

/** Whether a text says something else on each pass. */
export function hasPlaceholder(text: string): boolean {
  return text.search(PLACEHOLDER) !== -1;
}
