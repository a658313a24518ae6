import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    globalSetup: ['test/support/global-setup.ts'],
    setupFiles: ['test/support/setup.ts'],
    testTimeout: 30_000,
    hookTimeout: 30_000,
    // One more than the cores of a small machine: many tests wait, for processes to start and for real time-outs.
    maxWorkers: 3,
    // Files share what a worker has loaded and the keys it has made; each test has a daemon and an authority of its own.
    isolate: false,
  },
})
