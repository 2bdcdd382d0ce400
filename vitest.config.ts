import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['tests/**/*.test.ts'],
    // One worker would leave a core idle on a machine of two.
    maxWorkers: '100%',
    setupFiles: ['tests/helpers/property-seed.ts'],
    testTimeout: 30_000,
    hookTimeout: 60_000,
    pool: 'threads',
    // CI reads the counts from the JSON file: scripts/ci-summary.mjs.
    ...(process.env.CI === undefined
      ? {}
      : { reporters: ['default', 'json'], outputFile: { json: 'coverage/results.json' } }),
  },
});
