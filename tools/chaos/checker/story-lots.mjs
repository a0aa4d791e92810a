// Lots as entries write them down.
import { points } from './fixture.mjs';

/** @typedef {import('./world.mjs').LotRef} LotRef */
/** @typedef {[lot: LotRef, amount: number][]} Takes */

/** @param {Takes} takes @param {number} sign */
export const lotsBy = (takes, sign) =>
  takes.map(([lot, amount]) => ({ ...lot, by: sign * points(amount), matures_at: null }));
/** @param {Takes} takes */
export const partsOf = (takes) =>
  takes.map(([lot, amount]) => ({ ...lot, amount: points(amount) }));
/** @param {Takes} takes */
export const sumOf = (takes) => takes.reduce((sum, [, amount]) => sum + amount, 0);
