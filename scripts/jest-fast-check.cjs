// What a property test imports as fast-check: it draws the same examples in every run, so that a failure is the code's and not the
// hour's. `npm run properties` sets another seed, and how many are drawn where a test does not say so.
const fc = require('../node_modules/fast-check/lib/cjs/fast-check.js');

const SEED = 7;
const { PROPERTY_RUNS, PROPERTY_SEED } = process.env;

fc.configureGlobal({
  ...fc.readConfigureGlobal(),
  seed: Number(PROPERTY_SEED ?? SEED),
  ...(PROPERTY_RUNS === undefined ? {} : { numRuns: Number(PROPERTY_RUNS) }),
});

module.exports = fc;
