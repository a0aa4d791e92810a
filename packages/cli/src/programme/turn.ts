import { randomUUID } from 'node:crypto';
import { isLaurelError, type Laurel } from '@laurel/client';
import { ANSWER_BRIEFLY, type Register } from './register';
import { groundMoved } from './tags';

/** How long a turn lasts after its holder was last heard of: the next after one that died waits no longer. */
const SECONDS = 120;
const SAID_AGAIN_AFTER_MS = 30_000;

/** That it is this program's turn to apply the files of a programme, and no other's meanwhile. */
export interface Turn {
  /** To be asked between two changes: refuses where the turn has been lost. */
  keep(): Promise<void>;
  /** What is to be written when it ends. */
  register(): Register;
}

/**
 * Takes the turn to apply what was planned with a register. Of two who planned with the same one, one gets it; the other
 * is refused, and has done nothing.
 */
export async function takeTurn(laurel: Laurel, planned: Register): Promise<Turn> {
  const turn = randomUUID();
  let register: Register = { ...planned, turn };
  let saidAt = 0;
  const say = async (seconds: number): Promise<boolean> => {
    const { name, etag } = register;
    // Without a tag the answer has to tell whether there is anything by now.
    const headers: Record<string, string> =
      etag === null ? {} : { ...ANSWER_BRIEFLY, 'If-Match': etag };
    const said = laurel.programmes.set(name, { turn: { id: turn, seconds } }, { headers });
    const { data, response } = await underTurn(said.withResponse());
    saidAt = Date.now();
    register = { ...register, etag: response.headers.get('etag') };
    return etag !== null || data.managed.length === 0;
  };
  const isAsPlanned = await say(SECONDS);
  if (!isAsPlanned) {
    await say(0);
    throw groundMoved('somebody applied these files in between');
  }
  return {
    async keep() {
      if (Date.now() - saidAt >= SAID_AGAIN_AFTER_MS) await say(SECONDS);
    },
    register: () => register,
  };
}

/** What was asked of the register, under its tag. */
export async function underTurn<T>(asked: Promise<T>): Promise<T> {
  try {
    return await asked;
  } catch (error) {
    if (isLaurelError(error) && error.status === 412)
      throw groundMoved('somebody applied these files in between');
    if (isLaurelError(error) && error.reason === 'being_applied') throw groundMoved(error.message);
    throw error;
  }
}
