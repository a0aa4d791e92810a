import { Refusal } from '@laurel/errors';
import type { Deps } from '../deps';
import type { Question, Surroundings } from '../domain/foreseen';

type AskDeps = Pick<Deps, 'rewards'>;

interface Whom {
  workspaceId: string;
  clientId: string;
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

function ask(
  { rewards }: AskDeps,
  { workspaceId, clientId }: Whom,
  { effect, givenBefore }: Question,
): Promise<unknown> {
  return rewards.QuoteGift({
    workspace_id: workspaceId,
    client_id: clientId,
    reward_id: effect.reward_id,
    source: 'earning_rule',
    ...(givenBefore === 0 ? {} : { given_before: givenBefore }),
  });
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
