// A run that proves nothing is red: every invariant had something to look at, faults met their targets, and corruptions could
// be planted into what the run found.

/** What is not hit is a target that was not there at that moment: some, on a machine that is slow. */
const HIT_SHARE_MIN = 0.7;
/** What a short run has nothing of cannot be corrupted; most of it is there. */
const PLANTED_SHARE_MIN = 0.85;

/**
 * @param {{ rows: readonly { name: string, says: string, checked: number }[], faults: readonly { action: string, target: string, hit: boolean }[],
 *   kinds?: readonly string[], planted?: { count: number, missing: readonly string[] } | undefined }} run `kinds` are those that the plan has, `missing` names the corruptions that the world had nothing for
 * @returns {string[]} why it proves less than it should
 */
export function unproven({ rows, faults, kinds = [], planted }) {
  const hit = faults.filter((fault) => fault.hit).length;
  const found = rows
    .filter(({ checked }) => checked === 0)
    .map(({ name, says }) => `${name} had nothing to look at: ${says}`);
  if (faults.length === 0 || hit < faults.length * HIT_SHARE_MIN)
    found.push(`${hit} of ${faults.length} faults met their target`);
  found.push(...unmet(faults, kinds));
  if (!planted) return found;
  const all = planted.count + planted.missing.length;
  if (planted.count < all * PLANTED_SHARE_MIN)
    found.push(`${planted.count} of ${all} corruptions could be planted`);
  return found;
}

/** Every kind of fault has met somebody. @param {readonly { action: string, hit: boolean }[]} faults @param {readonly string[]} kinds */
function unmet(faults, kinds) {
  const actions = [...new Set([...kinds, ...faults.map(({ action }) => action)])];
  return actions.flatMap((action) => {
    const tried = faults.filter((fault) => fault.action === action);
    if (tried.length === 0) return [`no fault of the kind '${action}' was tried`];
    if (tried.some(({ hit }) => hit)) return [];
    return [`none of ${tried.length} faults of the kind '${action}' met its target`];
  });
}
