// What the load asks for: one random operation after the other, from a seed and from what earlier ones came to.

/** @typedef {import('./random.mjs').Random} Random */
/** @typedef {import('./scene.mjs').Workspace} Workspace */
/** @typedef {import('./checker/world.mjs').Reply} Reply */
/** @typedef {{ kind: string, path: string, body: any, of?: string }} Intent `path` is below the workspace's */
/** @typedef {{ random: Random, workspace: Workspace, memory: Memory, tag: string }} Situation */

const KINDS = {
  earn: 30,
  spend: 22,
  adjust: 8,
  transfer: 8,
  lock: 7,
  capture: 4,
  release: 3,
  cancel: 5,
  purchase: 4,
  refund: 3,
  batch: 5,
  client: 1,
};
const WALLETS = { points: 55, capped: 15, credit: 20, slow: 10 };
const HOT_SHARE = 0.3;
const BATCH = { from: 2, to: 12 };
const POINTS = '/loyalty/points';

/** Kept of each kind, so that memory does not grow with the run. */
const REMEMBERED = 200;

/** What later operations can refer to. */
export class Memory {
  /** @type {Record<'locks' | 'cancellable' | 'purchases', string[]>} */
  #known = { locks: [], cancellable: [], purchases: [] };

  /** @param {'locks' | 'cancellable' | 'purchases'} kind @param {string} id */
  add(kind, id) {
    const ids = this.#known[kind];
    ids.push(id);
    if (ids.length > REMEMBERED) ids.shift();
  }

  /** Mostly each once; now and then one that somebody else may be at. @param {'locks' | 'cancellable' | 'purchases'} kind @param {Random} random */
  take(kind, random) {
    const ids = this.#known[kind];
    if (ids.length === 0) return undefined;
    const position = random.int(0, ids.length - 1);
    return random.chance(0.25) ? ids[position] : ids.splice(position, 1)[0];
  }

  /** @param {Reply} entry */
  learn({ id, type }) {
    if (type === 'lock') this.add('locks', id);
    if (['earn', 'spend', 'adjust'].includes(type)) this.add('cancellable', id);
  }
}

/** @param {Situation} situation */
function someClient({ random, workspace }) {
  return random.pick(random.chance(HOT_SHARE) ? workspace.hot : workspace.clients);
}

/** Whole points mostly, down to the fourth decimal at times. @param {Random} random @param {number} max */
function someAmount(random, max) {
  return random.chance(0.7) ? random.int(1, max) : random.int(1, max * 10_000) / 10_000;
}

/** @param {Situation} situation @param {number} max */
function movement({ random, tag, ...rest }, max) {
  return {
    client_id: someClient({ random, tag, ...rest }),
    amount: someAmount(random, max),
    wallet_type_code: random.weighted(WALLETS),
    metadata: { op: tag },
  };
}

/** @type {Record<string, (situation: Situation) => Intent | undefined>} */
const MAKERS = {
  earn: (situation) => {
    const external = situation.random.chance(0.3) ? { external_id: `x-${situation.tag}` } : {};
    return {
      kind: 'earn',
      path: `${POINTS}/earn`,
      body: { ...movement(situation, 120), ...external },
    };
  },
  spend: (situation) => ({ kind: 'spend', path: `${POINTS}/spend`, body: movement(situation, 80) }),
  adjust: (situation) => {
    const body = movement(situation, 60);
    const amount = situation.random.chance(0.5) ? body.amount : -body.amount;
    return {
      kind: 'adjust',
      path: `${POINTS}/adjust`,
      body: { ...body, amount, description: 'chaos' },
    };
  },
  transfer: (situation) => {
    const { client_id: from_client_id, ...body } = movement(situation, 60);
    const to_client_id = someClient(situation);
    if (to_client_id === from_client_id) return undefined;
    return {
      kind: 'transfer',
      path: `${POINTS}/transfer`,
      body: { ...body, from_client_id, to_client_id },
    };
  },
  lock: (situation) => ({
    kind: 'lock',
    path: `${POINTS}/lock`,
    body: {
      ...movement(situation, 40),
      ...(situation.random.chance(0.5) ? { expires_in_seconds: 60 } : {}),
    },
  }),
  capture: ({ random, memory }) => {
    const of = memory.take('locks', random);
    const body = random.chance(0.5) ? {} : { amount: someAmount(random, 20) };
    return of === undefined
      ? undefined
      : { kind: 'capture', path: `${POINTS}/locks/${of}/capture`, body, of };
  },
  release: ({ random, memory }) => {
    const of = memory.take('locks', random);
    return of === undefined
      ? undefined
      : { kind: 'release', path: `${POINTS}/locks/${of}/release`, body: {}, of };
  },
  cancel: ({ random, memory, tag }) => {
    const of = memory.take('cancellable', random);
    return of === undefined
      ? undefined
      : { kind: 'cancel', path: `${POINTS}/ledger/${of}/cancel`, body: { reason: tag }, of };
  },
  purchase: (situation) => {
    const source_id = `order-${situation.tag}`;
    situation.memory.add('purchases', source_id);
    const body = { ...movement(situation, 120), source_type: 'transaction', source_id };
    return { kind: 'earn', path: `${POINTS}/earn`, body };
  },
  refund: ({ random, memory, tag }) => {
    const source_id = memory.take('purchases', random);
    const body = { source_id, ratio: random.pick([0.2, 0.5, 1 / 3, 1]), external_id: tag };
    return source_id === undefined ? undefined : { kind: 'refund', path: `${POINTS}/refund`, body };
  },
  batch: (situation) => {
    const { random, tag } = situation;
    const operations = Array.from({ length: random.int(BATCH.from, BATCH.to) }, (_, index) => {
      const op = random.weighted({ earn: 5, spend: 4, adjust: 1 });
      const made = MAKERS[op]?.({ ...situation, tag: `${tag}.${index}` });
      return { op, ...made?.body };
    });
    return { kind: 'batch', path: `${POINTS}/batch`, body: { operations } };
  },
  client: ({ tag }) => ({
    kind: 'client',
    path: '/clients',
    body: { first_name: 'New', email: `${tag}@example.com`, custom_fields: { op: tag } },
  }),
};

/**
 * @param {Situation} situation
 * @returns {Intent}
 */
export function nextIntent(situation) {
  for (;;) {
    const intent = MAKERS[situation.random.weighted(KINDS)]?.(situation);
    if (intent) return intent;
  }
}
