// Which of the generated clients are asked for: known from the seed, so nothing has to be read to find them.
import { customerOf, entryCounts } from './client-records.mjs';
import { personOf } from './people.mjs';
import { idAt } from './random.mjs';
import { walletIdOf } from './services.mjs';

/** A prime, so that one sample after the other is far from it and all are reached. */
const STRIDE = 7_919;
const HALF = 0.5;
/** How far somebody may turn pages by offset; cursors go anywhere. */
const OFFSET_MAX = 50_000;

/** @typedef {ReturnType<typeof samplesOf>} Samples */

/** @param {import('./client-records.mjs').Plan} plan */
export function samplesOf(plan) {
  const counts = entryCounts(plan);
  const isCustomer = (number) =>
    counts[number] > 0 && isActive(personOf(plan.seed, number)) && number >= plan.deep.wallets;
  const numberAt = (sequence) => (sequence * STRIDE) % plan.clients;
  const find = (sequence, fits) => {
    for (let number = numberAt(sequence); ; number = (number + 1) % plan.clients)
      if (fits(number)) return number;
  };
  const person = (sequence, field) =>
    personOf(
      plan.seed,
      find(sequence, (number) => personOf(plan.seed, number)[field]),
    );
  const deepClients = Array.from(
    { length: plan.deep.wallets },
    (_, number) => customerOf(plan, number).id,
  );
  return {
    /** Enrolled, active, and has earned before. */
    client: (sequence) => customerOf(plan, find(sequence, isCustomer)).id,
    email: (sequence) => /** @type {string} */ (person(sequence, 'email').email),
    phone: (sequence) => /** @type {string} */ (person(sequence, 'phone').phone),
    fullName: (sequence) => {
      const { first_name, last_name } = personOf(plan.seed, numberAt(sequence));
      return `${first_name} ${last_name}`;
    },
    lastName: (sequence) => personOf(plan.seed, numberAt(sequence)).last_name,
    firstName: (sequence) => personOf(plan.seed, numberAt(sequence)).first_name,
    deepClients,
    deepWallets: deepClients.map((id) => walletIdOf(plan.workspaceId, id, plan.walletType.id)),
    walletDepth: { newest: plan.deep.entries, deep: Math.floor(plan.deep.entries * HALF) },
    clientDepth: Math.min(OFFSET_MAX, Math.floor(plan.clients * HALF)),
    entryDepth: Math.min(OFFSET_MAX, Math.floor(plan.entries * HALF)),
    /** In the middle of the history: half of the clients joined later. */
    middle: {
      at: new Date(Math.floor(plan.from + (plan.to - plan.from) * HALF)),
      id: idAt(plan.from + (plan.to - plan.from) * HALF, () => HALF),
    },
  };
}

const isActive = ({ status, loyalty_program_enabled: enabled }) => status === 'active' && enabled;
