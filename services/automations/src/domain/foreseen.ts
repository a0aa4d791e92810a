import { AMOUNT_MAX, totalOf } from '@laurel/values/amount';
import { EMPTY_WALLET, type Facts, type WalletFacts } from './facts';
import type { PlannedEffect } from './plan';

/** What besides the client decides what comes of an effect. */
export interface Surroundings {
  /** By wallet type code. */
  walletTypes: ReadonlyMap<
    string,
    {
      active: boolean;
      pendingDays: number | null;
      allowsNegative: boolean;
      maxBalance: number | null;
    }
  >;
  /** Those of the workspace, lowest first. */
  tiers: readonly { id: string; name: string }[];
  /** Why the services that carry out effects would refuse them, by the key of the question. */
  refused: ReadonlyMap<string, string>;
  /** The tier that the client would have where the assigned one is taken away. */
  freed: Facts['tier'];
}

export interface Foreseen {
  facts: Facts;
  /** Effects that would take place, up to the first that would be refused. */
  effects: PlannedEffect[];
  /** How things would stand after each of them. */
  states: Facts[];
  /** Why the effect after them would be refused; null where none would. */
  refusal: string | null;
}

/** What only the service that carries an effect out can tell of it. */
type Asked = Extract<
  PlannedEffect,
  { type: 'give_reward' | 'update_client_field' | 'assign_tier' }
>;

/** Whether an effect would be refused, to be asked of the service that carries it out. */
export interface Question {
  /** The same for all that would be answered alike. */
  key: string;
  effect: Asked;
  /** How many of its reward the client would have been given before. */
  givenBefore: number;
}

/** What of effects has to be asked of others, before they are foreseen. */
export function questionsAbout(facts: Facts, effects: readonly PlannedEffect[]): Question[] {
  const gifts = [...facts.foreseenGifts];
  return effects.flatMap((effect) => {
    if (!isAsked(effect)) return [];
    const question = questionAbout(effect, gifts);
    if (effect.type === 'give_reward') gifts.push(effect.reward_id);
    return [question];
  });
}

const isAsked = (effect: PlannedEffect): effect is Asked =>
  ['give_reward', 'update_client_field', 'assign_tier'].includes(effect.type);

function questionAbout(effect: Asked, gifts: readonly string[]): Question {
  const givenBefore =
    effect.type === 'give_reward' ? gifts.filter((id) => id === effect.reward_id).length : 0;
  return { key: `${JSON.stringify(effect)} ${givenBefore}`, effect, givenBefore };
}

/** How things would stand after the effects of a rule (part 4, section 6: each rule sees what earlier ones changed). */
export function foresee(
  facts: Facts,
  effects: readonly PlannedEffect[],
  around: Surroundings,
): Foreseen {
  let current = facts;
  const possible: PlannedEffect[] = [];
  const states: Facts[] = [];
  for (const effect of effects) {
    const refusal = refusalOf(current, effect, around);
    if (refusal !== null) return { facts: current, effects: possible, states, refusal };
    const fitting = withinCap(current, effect, around);
    current = after(current, fitting, around);
    possible.push(fitting);
    states.push(current);
  }
  return { facts: current, effects: possible, states, refusal: null };
}

/** An earn is credited as far as it fits under the cap of its wallet. */
function withinCap(facts: Facts, effect: PlannedEffect, around: Surroundings): PlannedEffect {
  if (effect.type !== 'earn_points') return effect;
  const room = roomIn(facts, effect.wallet_type_code, around);
  return room === null || effect.points <= room ? effect : { ...effect, points: room };
}

/** Points that still fit under the cap (active and pending count); null where there is none. */
function roomIn(facts: Facts, code: string, { walletTypes }: Surroundings): number | null {
  const cap = walletTypes.get(code)?.maxBalance ?? null;
  if (cap === null) return null;
  const { active = 0, pending = 0 } = facts.wallets[code] ?? {};
  return Math.max(0, totalOf([cap, -active, -pending]));
}

const DOING: { [Type in Asked['type']]: string } = {
  give_reward: 'giving the reward',
  update_client_field: 'changing the client',
  assign_tier: 'assigning the tier',
};

function refusalOf(facts: Facts, effect: PlannedEffect, around: Surroundings): string | null {
  switch (effect.type) {
    case 'earn_points': {
      const { wallet_type_code: code, points } = effect;
      if (points === 0) return null;
      const room = roomIn(facts, code, around);
      const isFull = room === 0;
      const credited = Math.min(points, room ?? points);
      const reason =
        closed(code, around) ??
        (isFull ? 'the wallet is at its max_balance' : tooMuch(facts, code, credited));
      return reason && `earning ${points} ${code} would be refused: ${reason}`;
    }
    case 'deduct_points': {
      const { wallet_type_code: code, amount } = effect;
      const active = facts.wallets[code]?.active ?? 0;
      const suffices = amount <= active || around.walletTypes.get(code)?.allowsNegative;
      const reason =
        closed(code, around) ??
        (suffices ? tooMuch(facts, code, -amount) : `the balance is ${active}`);
      return reason && `deducting ${amount} ${code} would be refused: ${reason}`;
    }
    case 'give_reward':
    case 'update_client_field':
    case 'assign_tier': {
      const reason = around.refused.get(questionAbout(effect, facts.foreseenGifts).key);
      return reason === undefined ? null : `${DOING[effect.type]} would be refused: ${reason}`;
    }
    default:
      return null;
  }
}

/** Why nothing moves in any wallet of a type; null where it does. A rule may outlive the type that it names. */
function closed(code: string, { walletTypes }: Surroundings): string | null {
  const type = walletTypes.get(code);
  if (!type) return 'there is no such wallet type';
  return type.active ? null : 'the wallet type is not active';
}

/** Why a wallet cannot take so many points more, or less; null where it can: beyond some range amounts are not exact. */
function tooMuch({ wallets }: Facts, code: string, change: number): string | null {
  const { active, pending, locked, earned, spent, expired } = wallets[code] ?? EMPTY_WALLET;
  const figures =
    change > 0
      ? [totalOf([earned, change]), totalOf([active, pending, locked, expired, change])]
      : [totalOf([spent, -change]), totalOf([active, change])];
  const isExact = figures.every((figure) => Math.abs(figure) <= AMOUNT_MAX);
  return isExact ? null : 'the wallet would be beyond the range of exact amounts';
}

function after(facts: Facts, effect: PlannedEffect, around: Surroundings): Facts {
  switch (effect.type) {
    case 'earn_points': {
      const { wallet_type_code: code, points } = effect;
      if (points === 0) return facts;
      const days = effect.pending_days ?? around.walletTypes.get(code)?.pendingDays ?? 0;
      return {
        ...withWallet(facts, code, { [days > 0 ? 'pending' : 'active']: points }),
        foreseen: [...facts.foreseen, { walletTypeCode: code, amount: points }],
      };
    }
    case 'deduct_points': {
      const { wallet_type_code: code, amount } = effect;
      return withWallet(facts, code, { active: -amount, spent: amount });
    }
    case 'give_reward':
      return { ...facts, foreseenGifts: [...facts.foreseenGifts, effect.reward_id] };
    case 'update_client_field': {
      const { client } = facts;
      const { field_name: name, value } = effect;
      return {
        ...facts,
        client:
          name in client
            ? { ...client, [name]: value }
            : { ...client, custom_fields: { ...client.custom_fields, [name]: value } },
      };
    }
    case 'assign_tier': {
      const index = around.tiers.findIndex(({ id }) => id === effect.tier_id);
      const tier = around.tiers[index];
      return tier
        ? { ...facts, tier: { id: tier.id, name: tier.name, level: index + 1, isAssigned: true } }
        : facts;
    }
    case 'remove_tier': {
      const { tier } = facts;
      const isMeant = effect.tier_id === null || tier?.id === effect.tier_id;
      return tier?.isAssigned && isMeant ? { ...facts, tier: around.freed } : facts;
    }
    default:
      return facts;
  }
}

/** How things would stand with points that came or went before any rule: below zero what goes. */
export function withMoved(
  facts: Facts,
  moves: readonly { wallet_type_code: string; amount: number; pending: number }[],
): Facts {
  return moves.reduce((before, { wallet_type_code: code, amount, pending }) => {
    const active = totalOf([amount, -pending]);
    return withWallet(before, code, { active, pending });
  }, facts);
}

function withWallet(facts: Facts, code: string, changes: Partial<WalletFacts>): Facts {
  const wallet = { ...(facts.wallets[code] ?? EMPTY_WALLET) };
  for (const [name, change] of Object.entries(changes))
    wallet[name as keyof WalletFacts] = totalOf([wallet[name as keyof WalletFacts], change]);
  return { ...facts, wallets: { ...facts.wallets, [code]: wallet } };
}
