import type { Tier, TierSet, WalletType } from '@laurel/client';
import type { Console } from '../../console';
import type { Say } from '../../language';

export type Condition = TierSet['conditions'][number];

/** All currencies of the workspace. */
type Currencies = readonly Pick<
  WalletType,
  'code' | 'name' | 'unit_singular_name' | 'unit_plural_name'
>[];

/** A condition as one value of a form: `total_earned:beans`, `transaction_count`. */
export const choiceOf = ({ type, wallet_type_code: code }: Condition): string =>
  code ? `${type}:${code}` : type;

export function conditionOf(value: string): Condition {
  const [type, ...code] = value.split(':');
  const counted = { type: type as Condition['type'] };
  return code.length === 0 ? counted : { ...counted, wallet_type_code: code.join(':') };
}

/** What may be counted: each currency for itself where there are several, and whatever is counted already. */
export function offeredConditions(
  currencies: Currencies,
  counted: readonly Condition[],
): Condition[] {
  const apart: Condition[] = currencies.map(({ code }) => ({
    type: 'total_earned',
    wallet_type_code: code,
  }));
  const usual: Condition[] = [
    { type: 'transaction_count' },
    { type: 'total_spending' },
    { type: 'total_earned' },
    ...(apart.length > 1 ? apart : []),
  ];
  const values = usual.map(choiceOf);
  return [...usual, ...counted.filter((one) => !values.includes(choiceOf(one)))];
}

/** What counts, by its name: "Points earned: Beans". */
export function nameCondition(
  say: Say,
  { type, wallet_type_code: code }: Condition,
  currencies: Currencies,
): string {
  const word = say(`tiers.condition.${type}`);
  if (type !== 'total_earned') return word;
  if (!code) return currencies.length > 1 ? say('tiers.condition.together') : word;
  const name = currencies.find((one) => one.code === code)?.name ?? code;
  return `${word}: ${name}`;
}

interface Counted {
  conditions: readonly Condition[];
  currencies: Currencies;
}

/** What a tier asks for, as a sentence. */
export function sayConditions(
  { format, language: { say } }: Pick<Console, 'format' | 'language'>,
  tier: Pick<Tier, 'kind' | 'condition_values'>,
  { conditions, currencies }: Counted,
): string {
  if (tier.kind === 'exclusive') return say('tiers.exclusive');
  const sayEarned = (value: number, code: string | undefined) => {
    const counted = currencies.filter((one) => !code || one.code === code);
    if (counted.length === 1)
      return say('tiers.needs.total_earned', { amount: format.units(value, counted[0]) });
    const amount = code ? `${format.number(value)} ${code}` : format.number(value);
    return say(code ? 'tiers.needs.total_earned' : 'tiers.needs.together', { amount });
  };
  const values = conditions.flatMap(({ type, wallet_type_code: code }) => {
    const value = tier.condition_values[type];
    if (!value) return [];
    if (type === 'total_earned') return [sayEarned(value, code)];
    const amount = type === 'total_spending' ? format.money(value) : format.number(value);
    return [say(`tiers.needs.${type}`, { amount, count: value })];
  });
  return values.join(` ${say('and')} `) || say('tiers.start');
}
