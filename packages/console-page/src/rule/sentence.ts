import type { Format } from '../format/format';
import type { Language, WordKey } from '../language';
import type { Condition, Effect, Named, Names, RuleBody } from './body';
import { readAmount, readCondition, type TimePill } from './formula';

export interface Telling {
  say: Language['say'];
  knows: Language['knows'];
  format: Pick<Format, 'number' | 'money' | 'units' | 'day'>;
  names: Names;
  /** Short names of the days, Monday first. */
  days: readonly string[];
}

const nameIn = (list: readonly Named[], id: string | undefined): string =>
  list.find((one) => one.id === id)?.name ?? '?';

/** What has to happen. */
export function tellTrigger(telling: Telling, rule: RuleBody): string {
  const { say, format } = telling;
  const config = rule.trigger_config ?? {};
  switch (rule.trigger_type) {
    case 'transaction': {
      const types = config.event_types ?? [];
      const what = say(
        types.length === 1 && types[0] === 'refund' ? 'when.refund' : 'when.purchase',
      );
      const from = config.min_amount
        ? ` ${say('when.atLeast', { amount: format.money(config.min_amount) })}`
        : '';
      const to = config.max_amount
        ? ` ${say('when.atMost', { amount: format.money(config.max_amount) })}`
        : '';
      return `${what}${from}${to}`;
    }
    case 'time_based':
      return tellSchedule(telling, config.schedule?.cron ?? '');
    case 'field_change':
      return say('when.field', { names: (config.field_names ?? []).join(', ') || '…' });
    default: {
      const types = (config.event_types ?? []).map((type) => sayEventType(telling, type));
      return say('when.event', {
        names: types.join(', ') || say(`trigger.${rule.trigger_type}` as WordKey),
      });
    }
  }
}

/** A type of event in a word of ours where there is one, else as programs write it, without underscores. */
export function sayEventType(
  { say, knows }: Pick<Language, 'say' | 'knows'>,
  type: string,
): string {
  const key = `event.${type === 'purchase' ? 'transaction' : type}`;
  return knows(key) ? say(key) : type.replaceAll('_', ' ');
}

/** Once a day, or on one day of the week; of other times the cron is all there is to say. */
function tellSchedule({ say, days }: Telling, cron: string): string {
  const [, minute, hour, day] = /^(\d{1,2}) (\d{1,2}) \* \* (\*|[0-7])$/.exec(cron.trim()) ?? [];
  if (hour === undefined || minute === undefined) return say('when.schedule', { cron });
  const time = `${hour.padStart(2, '0')}:${minute.padStart(2, '0')}`;
  if (day === '*') return say('when.everyDay', { time });
  return say('when.everyWeek', { time, day: days[(Number(day) + 6) % 7] ?? '' });
}

function tellTime({ say, days }: Telling, pill: TimePill): string {
  const on = pill.days.map((day) => days[day - 1]).join(', ');
  const between = pill.hours ? say('if.hours', { ...pill.hours }) : '';
  return say('if.time', { when: [on, between].filter(Boolean).join(' ') || say('if.anyTime') });
}

export function tellCondition(telling: Telling, condition: Condition): string {
  const { say, format, names } = telling;
  const compared = (value: number, operator: string) =>
    `${say(`compare.${operator}` as WordKey)} ${format.number(value)}`;
  switch (condition.type) {
    case 'expression': {
      const pill = readCondition(condition.expression);
      if (pill.kind === 'time') return tellTime(telling, pill);
      if (pill.kind === 'birthday') return say('if.birthday');
      return pill.text;
    }
    case 'segment':
      return say('if.segment', { name: nameIn(names.segments, condition.segment_id) });
    case 'tier':
      return say('if.tier', { name: nameIn(names.tiers, condition.tier_id) });
    case 'wallet_balance':
      return say('if.balance', {
        name: names.currencies.find(({ code }) => code === condition.wallet_type_code)?.name ?? '?',
        compared: compared(condition.value, condition.operator),
      });
    case 'client_metric':
      return say('if.metric', {
        metric: tellMetric(telling, condition),
        days: condition.period_days ? ` ${say('if.inDays', { count: condition.period_days })}` : '',
        compared: compared(condition.value, condition.operator),
      });
  }
}

/** What is counted; of points also of which currency, where there are several: those of all count unless one is named. */
function tellMetric(
  { say, names: { currencies } }: Telling,
  { metric, wallet_type_code: code }: Extract<Condition, { type: 'client_metric' }>,
): string {
  const what = say(`metric.${metric}`);
  if (metric !== 'points_earned') return what;
  if (code !== undefined)
    return say('metric.of', {
      what,
      name: currencies.find((one) => one.code === code)?.name ?? '?',
    });
  return currencies.length > 1 ? say('metric.of', { what, name: say('if.allCurrencies') }) : what;
}

export function tellEffect({ say, format, names }: Telling, effect: Effect): string {
  const unit = (code: string) => names.currencies.find((one) => one.code === code);
  const lasting = (what: string, days: number | null | undefined) =>
    days ? `${what} ${say('then.forDays', { count: days })}` : what;
  switch (effect.type) {
    case 'earn_points': {
      const of = unit(effect.wallet_type_code);
      if (effect.amount_type === 'fixed')
        return say('then.earn', { amount: format.units(effect.amount ?? 0, of) });
      const pill = readAmount(effect.amount_expression ?? '');
      return pill.kind === 'perMoney'
        ? say('then.perMoney', { amount: format.units(pill.factor, of), money: format.money(1) })
        : say('then.formula', { name: of?.name ?? '?', formula: pill.text });
    }
    case 'deduct_points':
      return say('then.deduct', {
        amount: format.units(effect.amount, unit(effect.wallet_type_code)),
      });
    case 'give_reward':
      return say('then.reward', { name: nameIn(names.rewards, effect.reward_id) });
    case 'send_push':
      return say('then.push', {
        text: effect.title ? `${effect.title} – ${effect.body}` : effect.body,
      });
    case 'assign_tier':
      return lasting(
        say('then.tier', { name: nameIn(names.tiers, effect.tier_id) }),
        effect.duration_days,
      );
    case 'remove_tier':
      return effect.tier_id
        ? say('then.noTierOf', { name: nameIn(names.tiers, effect.tier_id) })
        : say('then.noTier');
    case 'update_client_field':
      return say('then.field', {
        name: nameIn(names.fields, effect.field_name),
        value: effect.value_expression,
      });
    case 'switch_template':
      return lasting(
        say('then.card', { name: nameIn(names.cards, effect.template_id) }),
        effect.duration_days,
      );
    case 'call_webhook':
      return say('then.webhook', { name: nameIn(names.webhooks, effect.webhook_id) });
  }
}

/** The whole rule as one sentence that somebody behind a counter understands. */
export function tellRule(telling: Telling, rule: RuleBody): string {
  const { say } = telling;
  const and = ` ${say('and')} `;
  const conditions = (rule.conditions ?? []).map((one) => tellCondition(telling, one)).join(and);
  const effects = rule.effects.map((one) => tellEffect(telling, one)).join(and) || '…';
  const when = tellTrigger(telling, rule);
  return conditions
    ? say('rule.sentence.if', { when, conditions, effects })
    : say('rule.sentence', { when, effects });
}
