// L5, L6: no wallet goes where its type forbids.
import { finding, logsOf, NOTHING, nameOf } from './world.mjs';

/** @typedef {import('./world.mjs').World} World */
/** @typedef {import('./world.mjs').Entry} Entry */

/** @param {Entry} entry */
const isDebit = ({ type, amount, source_type: source }) =>
  source !== 'merge' &&
  source !== 'capture' &&
  (['spend', 'transfer_out', 'lock'].includes(type) || (type === 'adjust' && amount < 0));

/** Only these may go below zero, where the type allows it (part 3, 4.2). @param {Entry} entry */
const mayOverdraw = ({ type, caps }) =>
  (type === 'spend' || type === 'adjust') && caps?.allow_negative === true;

/**
 * L5: a debit is covered by the balance before it, a capture by what is held, and only where the wallet type
 * allows it does a balance go below zero.
 *
 * @param {World} world
 */
export function debitsAreCovered(world) {
  const found = finding();
  const types = new Map(world.walletTypes.map((type) => [type._id, type]));
  for (const log of logsOf(world).values()) {
    let before = NOTHING;
    for (const entry of log) {
      const { amount, caps, after } = entry;
      if (isDebit(entry) && !mayOverdraw(entry))
        found.must(-amount <= before.active, () => `${nameOf(entry)} overdraws ${before.active}`);
      if (entry.source_type === 'capture')
        found.must(-amount <= before.locked, () => `${nameOf(entry)} captures more than is held`);
      found.must(
        after.pending >= 0 && after.locked >= 0,
        () => `${nameOf(entry)} leaves pending or locked points below zero`,
      );
      if (caps)
        found.must(
          caps.allow_negative === types.get(entry.wallet_type_id)?.allow_negative_balance,
          () => `${nameOf(entry)} was decided under another rule than its wallet type has`,
        );
      before = after;
    }
  }
  return found;
}

/**
 * L6: a credit never lifts a wallet over its cap, where active and pending points count.
 *
 * @param {World} world
 */
export function creditsStayUnderCap(world) {
  const found = finding();
  const types = new Map(world.walletTypes.map((type) => [type._id, type]));
  for (const log of logsOf(world).values()) {
    let before = NOTHING;
    for (const entry of log) {
      const cap = types.get(entry.wallet_type_id)?.max_balance ?? null;
      const capped = ['earn', 'adjust', 'transfer_in'].includes(entry.type) && entry.amount > 0;
      if (cap !== null && capped && entry.source_type !== 'merge') {
        const held = before.active + before.pending;
        const holds = entry.after.active + entry.after.pending;
        found.must(
          holds <= Math.max(cap, held),
          () => `${nameOf(entry)} lifts the wallet to ${holds}, its cap is ${cap}`,
        );
      }
      before = entry.after;
    }
  }
  return found;
}
