// One configuration for every test: the file suffix says what a test needs.
//   *.test.ts      nothing but the code          (npm test, milliseconds)
//   *.int.test.ts  the real store, broker, Redis (MONGODB_URI, RABBITMQ_URL, REDIS_URL)

// Tests stand where no server does, half an hour off: what goes by the machine's zone in place of UTC is seen to.
process.env.TZ = 'America/St_Johns';

const compile = (jsc) => [
  '@swc/jest',
  {
    swcrc: false,
    jsc: { target: 'es2023', ...jsc },
    // Not lazily: a timer that outlives its test would load packages of a world that is gone.
    module: { type: 'commonjs' },
    sourceMaps: 'inline',
  },
];
const typescript = compile({ parser: { syntax: 'typescript' } });
const markup = compile({
  parser: { syntax: 'typescript', tsx: true },
  transform: { react: { runtime: 'automatic', importSource: 'preact' } },
});

const shared = {
  rootDir: __dirname,
  testEnvironment: '<rootDir>/scripts/jest-plain-globals.cjs',
  transform: {
    '\\.ts$': typescript,
    '\\.tsx$': markup,
    '\\.m?js$': '<rootDir>/scripts/jest-esm-transform.cjs',
  },
  transformIgnorePatterns: [],
  moduleNameMapper: {
    '^fast-check$': '<rootDir>/scripts/jest-fast-check.cjs',
    '/vendor/preact\\.js$': '<rootDir>/packages/portal-page/node_modules/htm/preact/standalone.mjs',
    '/vendor/qr\\.js$': '<rootDir>/packages/portal-page/node_modules/uqr/dist/index.mjs',
    '^laurel-verify$': '<rootDir>/packages/ledger-verifier/src/index.ts',
    '^@laurel/values/([a-z]+)$': '<rootDir>/packages/values/src/$1.ts',
    '^@laurel/(?!e2e)([a-z-]+)$': [
      '<rootDir>/packages/$1/src/index.ts',
      '<rootDir>/services/$1/src/index.ts',
    ],
  },
  // Below the checkout only: it may itself lie below a folder of one of these names.
  modulePathIgnorePatterns: ['<rootDir>/.local/', '<rootDir>/(.*/)?dist/'],
  testPathIgnorePatterns: [
    '<rootDir>/(.*/)?node_modules/',
    '<rootDir>/(.*/)?dist/',
    '<rootDir>/.local/',
  ],
};

module.exports = {
  testSequencer: '<rootDir>/scripts/jest-slowest-first.cjs',
  // A promise that does not come about fails by its own wait; this only ends what hangs, on a machine too that is three
  // times as slow: some tests take twenty seconds where all runs at once. Many runs of a property may take long.
  testTimeout: process.env.PROPERTY_RUNS === undefined ? 180_000 : 3_600_000,
  projects: [
    {
      ...shared,
      displayName: 'unit',
      testMatch: ['**/*.test.ts', '**/*.test.tsx'],
      testPathIgnorePatterns: [
        ...shared.testPathIgnorePatterns,
        '\\.int\\.test\\.ts$',
        '<rootDir>/e2e/',
      ],
    },
    { ...shared, displayName: 'integration', testMatch: ['**/*.int.test.ts'] },
    {
      ...shared,
      displayName: 'e2e',
      testMatch: ['<rootDir>/e2e/**/*.test.ts'],
      testPathIgnorePatterns: [...shared.testPathIgnorePatterns, '<rootDir>/e2e/restarts/'],
    },
    // These take processes away: nothing else may run beside them.
    { ...shared, displayName: 'restarts', testMatch: ['<rootDir>/e2e/restarts/*.test.ts'] },
  ],
};
