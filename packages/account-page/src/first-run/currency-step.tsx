import { Button, Field, Notice, useForm } from '@laurel/page-kit';
import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import { usePage } from '../context';
import { sayRefused, sayTrouble } from '../refusals';
import type { Currency } from '../shop';
import { codeOf } from './code-of';
import type { StepProps } from './step-props';

/** What points are called, and what earns them. */
export function CurrencyStep({ api, shop, standing, onDone }: StepProps): VNode {
  const { language } = usePage();
  const { say } = language;
  // What is there already is not asked for again, even where the rule was refused.
  const [currency, setCurrency] = useState(standing.currency);
  const { isBusy, refused, submit } = useForm(async ({ one = '', many = '', rate }) => {
    const made =
      currency ??
      (await api.make<Currency>(shop, '/wallet-types', {
        code: codeOf(many),
        name: many,
        unit_singular_name: one,
        unit_plural_name: many,
        is_default: true,
      }));
    setCurrency(made);
    await api.make(shop, '/automations', {
      name: say('currency.rule', { name: made.name }),
      active: true,
      trigger_type: 'transaction',
      trigger_config: { event_types: ['purchase'] },
      effects: [
        {
          type: 'earn_points',
          wallet_type_code: made.code,
          amount_type: 'expression',
          amount_expression: `event.amount * ${Number(rate).toFixed(2)}`,
        },
      ],
    });
    await onDone();
  });
  return (
    <form onSubmit={submit}>
      <p>{say('currency.text')}</p>
      {!currency && (
        <div class="pair">
          <Field
            label={say('currency.one')}
            name="one"
            required
            maxLength={50}
            defaultValue={say('currency.one.default')}
            trouble={sayTrouble(language, refused, 'unit_singular_name')}
          />
          <Field
            label={say('currency.many')}
            name="many"
            required
            maxLength={50}
            defaultValue={say('currency.many.default')}
            trouble={sayTrouble(language, refused, 'unit_plural_name')}
          />
        </div>
      )}
      <Field
        label={say('currency.rate')}
        name="rate"
        type="number"
        inputMode="decimal"
        required
        min="0.01"
        max="100000"
        step="0.01"
        defaultValue="1"
        hint={say('currency.rate.hint')}
      />
      {refused !== null && <Notice kind="bad">{sayRefused(language, refused)}</Notice>}
      <Button isBusy={isBusy}>{say('continue')}</Button>
    </form>
  );
}
