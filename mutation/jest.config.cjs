// The unit tests of a domain, as Stryker runs them once per mutant.
const { projects } = require('../jest.config.cjs');

const unit = projects.find(({ displayName }) => displayName === 'unit');

/** Stryker looks for Jest's environment from its own folder, where there is none: it is told the file. */
const testEnvironment = ['jest', '@jest/core', 'jest-config', 'jest-environment-node'].reduce(
  (from, name) => require.resolve(name, { paths: [from] }),
  __dirname,
);

module.exports = {
  ...unit,
  testEnvironment,
  testTimeout: 60_000,
  testMatch: ['<rootDir>/services/*/src/domain/**/*.test.ts'],
  // Whole stories of a ledger: too long for each of hundreds of mutants, and the examples must do without them.
  testPathIgnorePatterns: [...unit.testPathIgnorePatterns, 'model\\.test\\.ts$'],
  moduleNameMapper: { ...unit.moduleNameMapper, '^fast-check$': `${__dirname}/few-runs.cjs` },
};
