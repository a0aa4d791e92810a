import { Button, Field, useForm } from '@laurel/page-kit';
import type { VNode } from 'preact';
import { useEffect, useId, useState } from 'preact/hooks';
import { useTill } from '../context';
import { amountOf, decimalsOf, digitsOf, rounded } from '../pad';
import { nameOf, sayUnits } from '../say';
import type { Action, FormField, Quote } from '../shapes';
import type { Card } from './card';
import { Pad } from './pad';

/** The member of the data that the pad fills, by what the action does. */
const AMOUNTS: Readonly<Record<string, 'amount' | 'points'>> = {
  add_transaction: 'amount',
  add_points: 'points',
  remove_points: 'points',
};

/** The form of an action: an amount on the pad, and whatever else its owner wants to know. */
export function Entry({
  card,
  action,
  onSubmit,
  onBack,
}: {
  card: Card;
  action: Action;
  onSubmit: (data: Record<string, unknown>, title: string) => Promise<void>;
  onBack: () => void;
}): VNode {
  const { language, currency, app } = useTill();
  const { say, money } = language;
  const padded = AMOUNTS[action.action_type];
  const decimals = padded === 'amount' ? decimalsOf(currency) : 0;
  const preset =
    (padded === 'amount'
      ? action.action_config.default_amount
      : action.action_config.default_points) ?? 0;
  const [digits, setDigits] = useState(padded ? digitsOf(preset, decimals) : '');
  const [walletId] = [useId()];
  const amount = amountOf(digits, decimals);
  const offered = action.action_config.wallet_type_codes ?? [];
  const types = app.wallet_types.filter(
    ({ code }) => offered.length === 0 || offered.includes(code),
  );
  const [type, setType] = useState(types[0]);
  const shown = padded === 'amount' ? money(amount, currency) : sayUnits(language, amount, type);
  const fields = action.form_fields.filter(({ name }) => name !== padded);
  const isTaking = action.action_type === 'remove_points';
  const isPurchase = action.action_type === 'add_transaction';
  const asksDescription =
    isPurchase &&
    action.action_config.require_description &&
    !fields.some(({ name }) => name === 'description');

  const { isBusy, submit } = useForm(async (typed) => {
    const answers = Object.fromEntries(
      fields.flatMap((field) => answerOf(field, typed[field.name])),
    );
    const own = {
      ...(padded ? { [padded]: amount } : {}),
      ...(padded === 'points' && types.length > 1 && type ? { wallet_type_code: type.code } : {}),
      // A purchase that is sent tomorrow happened today.
      ...(isPurchase ? { currency, transaction_timestamp: new Date().toISOString() } : {}),
      ...(asksDescription ? { description: typed.description } : {}),
    };
    const data =
      action.action_type === 'update_client_data' ? { fields: answers } : { ...answers, ...own };
    await onSubmit(data, padded ? `${action.name} ${shown}` : action.name);
  });
  return (
    <>
      <h1 tabIndex={-1}>{action.name}</h1>
      <p class="hint">{card.pass ? nameOf(language, card.pass.client) : card.code}</p>
      <form onSubmit={submit}>
        {padded && (
          <>
            <output class="amount" aria-live="polite">
              {shown}
            </output>
            {isPurchase && <Foretold card={card} action={action} amount={amount} />}
            <Pad digits={digits} onChange={setDigits} />
          </>
        )}
        {padded === 'points' && types.length > 1 && (
          <div class="field">
            <label for={walletId}>{say('entry.currency')}</label>
            <select
              id={walletId}
              value={type?.code}
              onChange={({ currentTarget: { value } }) =>
                setType(types.find(({ code }) => code === value))
              }
            >
              {types.map(({ code, name }) => (
                <option value={code} key={code}>
                  {name}
                </option>
              ))}
            </select>
          </div>
        )}
        {asksDescription && (
          <Field label={say('entry.description')} name="description" required maxLength={2000} />
        )}
        {fields.map((field) => (
          <Answer field={field} key={field.name} />
        ))}
        <Button isBusy={isBusy} disabled={padded !== undefined && amount <= 0}>
          {padded
            ? say(isTaking ? 'entry.take' : 'entry.submit', { amount: shown })
            : say('entry.save')}
        </Button>
      </form>
      <Button type="button" kind="link" onClick={onBack}>
        {say('back')}
      </Button>
    </>
  );
}

/** A number that is still being typed is not asked about. */
const TYPING_MS = 400;

/** What the shop's rules would give for a purchase; nothing where nobody can tell. */
function Foretold({
  card: { pass },
  action,
  amount,
}: {
  card: Card;
  action: Action;
  amount: number;
}): VNode {
  const { language, api, app, currency } = useTill();
  const [points, setPoints] = useState<ReadonlyMap<string, number>>(new Map());
  useEffect(() => {
    setPoints(new Map());
    if (!pass || amount <= 0) return;
    let isGone = false;
    const timer = setTimeout(() => {
      api.quote(action.id, pass.id, { amount, currency }).then(
        ({ effects }) => isGone || setPoints(sumsOf(effects)),
        () => undefined,
      );
    }, TYPING_MS);
    return () => {
      isGone = true;
      clearTimeout(timer);
    };
  }, [amount]);
  return (
    <p class="hint foretold" role="status">
      {[...points].map(([code, sum]) => {
        const type = app.wallet_types.find((each) => each.code === code);
        return language.say('entry.foretold', { amount: sayUnits(language, sum, type) });
      })}
    </p>
  );
}

/** Points by currency, of those that come. */
function sumsOf(effects: Quote['effects']): Map<string, number> {
  const sums = new Map<string, number>();
  for (const { wallet_type_code: code, points } of effects)
    if (code !== null && points !== null) sums.set(code, rounded((sums.get(code) ?? 0) + points));
  return new Map([...sums].filter(([, sum]) => sum > 0));
}

const INPUT_TYPES: Readonly<Partial<Record<FormField['type'], string>>> = {
  number: 'number',
  email: 'email',
  phone: 'tel',
  date: 'date',
};

function Answer({ field }: { field: FormField }): VNode {
  const { name, label, type, required = false, placeholder, options } = field;
  const id = useId();
  if (type === 'checkbox')
    return (
      <label class="row">
        <input class="tick" type="checkbox" name={name} />
        {label}
      </label>
    );
  if (type === 'select' && options)
    return (
      <div class="field">
        <label for={id}>{label}</label>
        <select id={id} name={name} required={required}>
          {!required && <option value="" />}
          {options.map((option) => {
            const { value, label: shown = value } =
              typeof option === 'string' ? { value: option } : option;
            return (
              <option value={value} key={value}>
                {shown}
              </option>
            );
          })}
        </select>
      </div>
    );
  return (
    <Field
      label={label}
      name={name}
      type={INPUT_TYPES[type] ?? 'text'}
      required={required}
      placeholder={placeholder ?? undefined}
      {...(type === 'number' ? { step: 'any', inputMode: 'decimal' as const } : {})}
    />
  );
}

/** What is sent for a field; nothing where nothing was answered. */
function answerOf({ name, type }: FormField, typed: string | undefined): [string, unknown][] {
  if (type === 'checkbox') return [[name, typed === 'on']];
  if (typed === undefined || typed === '') return [];
  return [[name, type === 'number' ? Number(typed) : typed]];
}
