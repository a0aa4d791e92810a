import { Button, Field, useForm } from '@laurel/page-kit';
import type { VNode } from 'preact';
import { useId, useState } from 'preact/hooks';
import { useTill } from '../context';
import { amountOf, type Digits, decimalsOf, digitsOf } from '../pad';
import { nameOf, sayUnits } from '../say';
import type { Action } from '../shapes';
import { Answer, answerOf } from './answer';
import type { Card } from './card';
import { Foretold } from './foretold';
import { Pad } from './pad';

/** The member of the data that the pad fills, by what the action does. */
const AMOUNTS: Readonly<Record<string, 'amount' | 'points'>> = {
  add_transaction: 'amount',
  add_points: 'points',
  remove_points: 'points',
};

interface EntryProps {
  card: Card;
  action: Action;
  onSubmit: (data: Record<string, unknown>, title: string) => Promise<void>;
}

/** An action that is not the main one, on a screen of its own. */
export function Entry({ onBack, ...entry }: EntryProps & { onBack: () => void }): VNode {
  const { language } = useTill();
  const { pass, code } = entry.card;
  return (
    <>
      <h1 tabIndex={-1}>{entry.action.name}</h1>
      <p class="hint">{pass ? nameOf(language, pass.client) : code}</p>
      <EntryForm {...entry} />
      <Button type="button" kind="link" onClick={onBack}>
        {language.say('back')}
      </Button>
    </>
  );
}

/** The form of an action: an amount on the pad, and whatever else its owner wants to know. */
export function EntryForm({
  card,
  action,
  onSubmit,
  children,
}: EntryProps & {
  /** Its heading, where the screen is not the action's alone. */
  children?: VNode;
}): VNode {
  const { language, currency, app } = useTill();
  const { say, money } = language;
  const padded = AMOUNTS[action.action_type];
  const decimals = padded === 'amount' ? decimalsOf(currency) : 0;
  const preset =
    (padded === 'amount'
      ? action.action_config.default_amount
      : action.action_config.default_points) ?? 0;
  // What usually is asked for stands there until somebody types: then it is not the beginning of a larger number.
  const [pressed, setPressed] = useState<Digits | null>(null);
  const digits = pressed ?? (padded ? digitsOf(preset, decimals) : '');
  const walletId = useId();
  // The pad has no decimals for points; what the shop has set for them may have some.
  const isPreset = pressed === null && padded === 'points';
  const amount = isPreset ? preset : amountOf(digits, decimals);
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
      // Not when: a purchase that waits is sent with its moment once the platform's clock is known.
      ...(isPurchase ? { currency } : {}),
      ...(asksDescription ? { description: typed.description } : {}),
    };
    const data =
      action.action_type === 'update_client_data' ? { fields: answers } : { ...answers, ...own };
    await onSubmit(data, padded ? `${action.name} ${shown}` : action.name);
  });
  return (
    <form onSubmit={submit}>
      {padded && (
        <>
          <div class="asked">
            <div>
              {children}
              {isPurchase && <Foretold card={card} action={action} amount={amount} />}
            </div>
            <output class="amount" aria-live="polite" style={{ '--letters': shown.length }}>
              {shown}
            </output>
          </div>
          <Pad
            digits={pressed ?? ''}
            onChange={(change) => setPressed((typed) => change(typed ?? ''))}
          />
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
  );
}
