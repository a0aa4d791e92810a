import { Refusal } from '@laurel/errors';
import type { Deps } from '../deps';
import type { Question, Surroundings } from '../domain/foreseen';
import { updateOf } from './apply-effect';

type AskDeps = Pick<Deps, 'clients' | 'rewards' | 'tiers'>;

interface Whom {
  workspaceId: string;
  clientId: string;
  /** The moment that is asked about; the present where there is none. */
  at?: string;
}

/**
 * Whether an effect would take place is decided where it does, and as it is then: refused with its reason. What is asked
 * once in a simulation is not asked again.
 */
export function askingNeighbours(deps: AskDeps, whom: Whom) {
  const asked = new Map<string, Promise<string | null>>();
  return async (questions: readonly Question[]): Promise<Surroundings['refused']> => {
    for (const question of questions) {
      const { key } = question;
      if (!asked.has(key)) asked.set(key, reasonAgainst(ask(deps, whom, question)));
    }
    const reasons = await Promise.all(
      questions.map(async ({ key }) => [key, await asked.get(key)!] as const),
    );
    return new Map(reasons.flatMap(([key, reason]) => (reason === null ? [] : [[key, reason]])));
  };
}

/** Puts the effect to who carries it out, as running it does (`apply-effect.ts`). */
function ask(
  { clients, rewards, tiers }: AskDeps,
  { workspaceId, clientId, at }: Whom,
  { effect, givenBefore }: Question,
): Promise<unknown> {
  const whom = { workspace_id: workspaceId, client_id: clientId };
  switch (effect.type) {
    case 'give_reward': {
      const { reward_id } = effect;
      return rewards.QuoteGift({
        ...whom,
        reward_id,
        source: 'earning_rule',
        ...(givenBefore === 0 ? {} : { given_before: givenBefore }),
        ...(at === undefined ? {} : { at }),
      });
    }
    case 'update_client_field':
      return clients.QuoteUpdate({ ...updateOf(effect), workspace_id: workspaceId, id: clientId });
    case 'assign_tier': {
      const { tier_id, duration_days } = effect;
      return tiers.QuoteAssignment({ ...whom, tier_id, duration_days });
    }
  }
}

async function reasonAgainst(answer: Promise<unknown>): Promise<string | null> {
  try {
    await answer;
    return null;
  } catch (error) {
    if (error instanceof Refusal && error.httpStatus < 500) return error.message;
    throw error;
  }
}
