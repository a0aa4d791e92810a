// Points: every operation that moves them.
import { movement, someAmount, someClient } from './draw.mjs';

/** @typedef {import('./draw.mjs').Maker} Maker */

const BATCH = { from: 2, to: 12 };
const PATH = '/loyalty/points';

/** @type {Record<string, Maker>} */
export const POINTS = {
  earn: (situation) => {
    const external = situation.random.chance(0.3) ? { external_id: `x-${situation.tag}` } : {};
    return {
      kind: 'earn',
      path: `${PATH}/earn`,
      body: { ...movement(situation, 120), ...external },
    };
  },
  spend: (situation) => ({ kind: 'spend', path: `${PATH}/spend`, body: movement(situation, 80) }),
  adjust: (situation) => {
    const body = movement(situation, 60);
    const amount = situation.random.chance(0.5) ? body.amount : -body.amount;
    return {
      kind: 'adjust',
      path: `${PATH}/adjust`,
      body: { ...body, amount, description: 'chaos' },
    };
  },
  transfer: (situation) => {
    const { client_id: from_client_id, ...body } = movement(situation, 60);
    const to_client_id = someClient(situation);
    if (to_client_id === from_client_id) return undefined;
    return {
      kind: 'transfer',
      path: `${PATH}/transfer`,
      body: { ...body, from_client_id, to_client_id },
    };
  },
  lock: (situation) => ({
    kind: 'lock',
    path: `${PATH}/lock`,
    body: {
      // Little enough to be there, of those who have most: a hold that was refused has no end to look at.
      ...movement(situation, 10),
      ...(situation.random.chance(0.7)
        ? { client_id: situation.random.pick(situation.workspace.hot), wallet_type_code: 'points' }
        : {}),
      ...(situation.mayExpire && situation.random.chance(0.5) ? { expires_in_seconds: 60 } : {}),
    },
  }),
  capture: ({ random, memory }) => {
    const of = memory.take('locks', random);
    const body = random.chance(0.5) ? {} : { amount: someAmount(random, 10) };
    return of === undefined
      ? undefined
      : { kind: 'capture', path: `${PATH}/locks/${of}/capture`, body, of };
  },
  release: ({ random, memory }) => {
    const of = memory.take('locks', random);
    return of === undefined
      ? undefined
      : { kind: 'release', path: `${PATH}/locks/${of}/release`, body: {}, of };
  },
  cancel: ({ random, memory, tag }) => {
    const of = memory.take('cancellable', random);
    return of === undefined
      ? undefined
      : { kind: 'cancel', path: `${PATH}/ledger/${of}/cancel`, body: { reason: tag }, of };
  },
  purchase: (situation) => {
    const source_id = `order-${situation.tag}`;
    situation.memory.add('purchases', source_id);
    const body = { ...movement(situation, 120), source_type: 'transaction', source_id };
    return { kind: 'earn', path: `${PATH}/earn`, body };
  },
  refund: ({ random, memory, tag }) => {
    const source_id = memory.take('purchases', random);
    const body = { source_id, ratio: random.pick([0.2, 0.5, 1 / 3, 1]), external_id: tag };
    return source_id === undefined ? undefined : { kind: 'refund', path: `${PATH}/refund`, body };
  },
  batch: (situation) => {
    const { random, tag } = situation;
    const operations = Array.from({ length: random.int(BATCH.from, BATCH.to) }, (_, index) => {
      const op = random.weighted({ earn: 5, spend: 4, adjust: 1 });
      const made = POINTS[op]?.({ ...situation, tag: `${tag}.${index}` });
      return { op, ...made?.body };
    });
    return { kind: 'batch', path: `${PATH}/batch`, body: { operations } };
  },
};
