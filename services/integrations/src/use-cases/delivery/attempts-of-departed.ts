import { groupBy } from '@laurel/lifecycle';
import { type AttemptRow, type AttemptStore, attemptAfterErasure } from '../../store/attempts';
import { catchUp, type Departing, type WhoNow, whoNow } from '../catch-up';

type Needs = Departing & { attempts: AttemptStore };

/** An attempt as it is written about somebody who may have departed before. */
export interface WrittenAttempt {
  row: AttemptRow;
  who: WhoNow;
}

/** Attempts under the names that their clients go by now, and without what was answered about those who were erased. */
export async function asOfNow(deps: Needs, made: readonly AttemptRow[]): Promise<WrittenAttempt[]> {
  const about = made.map(({ workspace_id: workspaceId, subject }) => ({ workspaceId, subject }));
  const now = await whoNow(deps, about);
  return made.map((attempt, at) => {
    const who = now[at]!;
    const row = { ...attempt, subject: who.subject };
    return { row: who.ended ? attemptAfterErasure(row) : row, who };
  });
}

/** Moves and erases what was just written, where its clients departed meanwhile, and what a writer left behind that died here. */
export async function followDeparted(
  deps: Needs,
  written: readonly WrittenAttempt[],
): Promise<void> {
  const who = written.map((attempt) => attempt.who);
  await catchUp(deps, [...(await leftBehind(deps, who)), ...who]);
}

async function leftBehind({ attempts }: Needs, all: readonly WhoNow[]) {
  const departed = all.filter(({ ended, formerly }) => ended || formerly.length > 0);
  const found = await Promise.all(
    [...groupBy(departed, (who) => who.workspaceId)].map(async ([workspaceId, some]) => {
      const former = some.flatMap(({ formerly }) => formerly);
      const erased = some.flatMap(({ ended, subject }) => (ended ? subject : []));
      const subjects = await attempts.leftBehind(workspaceId, { former, erased });
      return subjects.map((subject) => ({ workspaceId, subject }));
    }),
  );
  return found.flat();
}
