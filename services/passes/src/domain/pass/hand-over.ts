import type { Pass } from './pass';
import { NO_TEXTS } from './push-texts';
import { randomBarcode } from './random-barcode';

/** Whether somebody who has the pass is not to have it any more. */
const isTaken = ({ client_id: holder, retired }: Pass, next: string | null): boolean =>
  holder !== null && next !== holder && !retired;

/**
 * The pass as the next client has it. Whom a pass is taken from has its links still, and its card on a phone: once it is
 * another client's they would show the card of that one, and the way into their account, and a picture of the barcode
 * would be scanned as theirs. So the links are made anew, and the barcode where it is of chance (docs/adr/0014). The texts
 * that were pushed, or wait, may have been filled with what is known of the one.
 *
 * @param next the client who is to have it, or null; a client who has it already keeps all of it
 */
export function handedOver(pass: Pass, next: string | null, now: Date): Pass {
  if (next === pass.client_id) return pass;
  const given = { ...pass, client_id: next, held_since: next === null ? null : now };
  if (!isTaken(pass, next)) return given;
  return {
    ...given,
    ...withOtherBarcode(pass),
    link_generation: pass.link_generation + 1,
    ...NO_TEXTS,
    // Who had been handed the earlier links has none of these.
    handed_out: false,
    safe_generation: null,
    notification_fields: [],
  };
}

/**
 * The pass of a merged client as the one has it who it was merged into. Links that the reader of the one's address alone had
 * may be shown to others before the target's address is proven, and are as any others until then.
 */
export function passedOn(pass: Pass, target: string, at: Date): Pass {
  const { safe_generation, link_generation } = pass;
  const isSafe = safe_generation === link_generation;
  const links = isSafe ? { handed_out: false, safe_generation: null } : {};
  return { ...pass, client_id: target, held_since: at, ...links };
}

/**
 * Values that lead to a pass no more. What was given or comes out of a pattern stays: it would come out the same. Where the
 * barcode cannot hold what was given the one of chance stands in its place.
 */
export function withOtherBarcode({
  barcode_given: given,
  barcode_spare: spare,
  barcode_value: value,
}: Pass): Pick<Pass, 'barcode_spare' | 'barcode_value'> {
  const other = randomBarcode();
  const isOfChance = spare === value || (given === null && spare === null);
  return { barcode_spare: other, barcode_value: isOfChance ? other : value };
}
