// House rules that older code does not keep everywhere yet: what breaks them is counted by file, and the count may only
// shrink (docs/adr/0025).

/** What the linter calls a rule, and what the list calls it. */
const RULES = /** @type {const} */ ({
  'lint/complexity/noExcessiveLinesPerFunction': 'functions over 60 lines',
  'lint/complexity/useMaxParams': 'functions of more than 3 parameters',
  'lint/suspicious/noImportCycles': 'imports that lead back to their file',
});

/**
 * How often each file breaks each rule.
 *
 * @typedef {Record<string, Record<string, number>>} Counts
 */

/**
 * @param {{ category: string, file: string }[]} diagnostics
 * @returns {Counts} files in the order of their names
 */
export function countByFile(diagnostics) {
  /** @type {Counts} */
  const counts = {};
  for (const [category, rule] of Object.entries(RULES)) {
    const files = diagnostics.filter((found) => found.category === category).map((d) => d.file);
    counts[rule] = {};
    for (const file of files.toSorted()) counts[rule][file] = (counts[rule][file] ?? 0) + 1;
  }
  return counts;
}

/**
 * What the list does not allow, and what it allows without need.
 *
 * @param {Counts} found
 * @param {Counts} left
 * @returns {string[]} one line per file
 */
export function compareToLeft(found, left) {
  const rules = new Set([...Object.keys(found), ...Object.keys(left)]);
  return [...rules].flatMap((rule) => {
    const files = new Set([...Object.keys(found[rule] ?? {}), ...Object.keys(left[rule] ?? {})]);
    return [...files].toSorted().flatMap((file) => {
      const now = found[rule]?.[file] ?? 0;
      const allowed = left[rule]?.[file] ?? 0;
      if (now > allowed) return `${file}: ${now} ${rule}, ${allowed} are allowed`;
      if (now < allowed)
        return `${file}: ${now} ${rule}, down from ${allowed}: write it down with node scripts/count-breaches.mjs`;
      return [];
    });
  });
}
