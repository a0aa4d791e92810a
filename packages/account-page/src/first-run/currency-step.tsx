import { Button, Field, Notice, NumberField, numberOf, useForm } from '@laurel/page-kit';
import { codeOf } from '@laurel/page-kit/code-of';
import type { VNode } from 'preact';
import { useRef } from 'preact/hooks';
import { usePage } from '../context';
import { sayRefused, sayTrouble } from '../refusals';
import type { Currency, Rule } from '../shop';
import type { StepProps } from './step-props';

/** As the first run writes it: so many for each unit of money. */
const RATE = /^event\.amount \* (\d+(?:\.\d+)?)$/;
const rateOf = (rule: Rule | null): string | undefined =>
  RATE.exec(rule?.effects[0]?.amount_expression ?? '')?.[1];

/** What points are called begins small, and a name of a rule does not. */
const capitalized = (text: string, locale: string): string =>
  text.charAt(0).toLocaleUpperCase(locale) + text.slice(1);

/** What points are called, and what earns them. Where they are there already, it puts them right. */
export function CurrencyStep({ api, shop, standing, onDone }: StepProps): VNode {
  const { language } = usePage();
  const { say, money } = language;
  // What was made by a try whose second half was refused is not made again.
  const made = useRef({ currency: standing.currency, rule: standing.rule });
  const { isBusy, refused, submit } = useForm(async ({ one = '', many = '', rate }) => {
    const names = { name: many, unit_singular_name: one, unit_plural_name: many };
    const { currency, rule } = made.current;
    if (!currency)
      made.current.currency = await api.make<Currency>(shop, '/wallet-types', {
        ...names,
        code: codeOf(many, { otherwise: 'points' }),
        is_default: true,
      });
    else if (currency.unit_singular_name !== one || currency.unit_plural_name !== many)
      made.current.currency = await api.write<Currency>(shop, {
        method: 'PATCH',
        path: `/wallet-types/${currency.id}`,
        body: names,
      });
    const { code, name } = made.current.currency!;
    const earning = {
      name: capitalized(say('currency.rule', { name }), language.locale),
      effects: [
        {
          type: 'earn_points',
          wallet_type_code: code,
          amount_type: 'expression',
          amount_expression: `event.amount * ${numberOf(rate ?? '').toFixed(2)}`,
        },
      ],
    };
    if (!rule)
      made.current.rule = await api.make<Rule>(shop, '/automations', {
        ...earning,
        active: true,
        trigger_type: 'transaction',
        trigger_config: { event_types: ['purchase'] },
      });
    else if (rateOf(rule) !== undefined)
      made.current.rule = await api.write<Rule>(shop, {
        method: 'PATCH',
        path: `/automations/${rule.id}`,
        body: earning,
      });
    await onDone();
  });
  const { currency, rule } = standing;
  return (
    <form onSubmit={submit}>
      <p>{say('currency.text')}</p>
      <div class="pair">
        <Field
          label={say('currency.one')}
          name="one"
          required
          maxLength={50}
          defaultValue={
            currency?.unit_singular_name ?? currency?.name ?? say('currency.one.default')
          }
          trouble={sayTrouble(language, refused, 'unit_singular_name')}
        />
        <Field
          label={say('currency.many')}
          name="many"
          required
          maxLength={50}
          defaultValue={
            currency?.unit_plural_name ?? currency?.name ?? say('currency.many.default')
          }
          trouble={sayTrouble(language, refused, 'unit_plural_name')}
        />
      </div>
      {/* A rule that was written elsewhere is more than a figure. */}
      {(rule === null || rateOf(rule) !== undefined) && (
        <NumberField
          label={say('currency.rate', { money: money(1, standing.settings.default_currency) })}
          name="rate"
          form="rate"
          wrong={say('number.wrong')}
          required
          defaultValue={String(Number(rateOf(rule) ?? 1))}
          hint={say('currency.rate.hint')}
        />
      )}
      {refused !== null && <Notice kind="bad">{sayRefused(language, refused)}</Notice>}
      <Button isBusy={isBusy}>{say('continue')}</Button>
    </form>
  );
}
