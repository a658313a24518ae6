import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    globalSetup: ['test/support/global-setup.ts'],
    setupFiles: ['test/support/setup.ts'],
    // Some start several processes, and a shared machine may be slow: what hangs is still found.
    testTimeout: 90_000,
    hookTimeout: 90_000,
    // One more than the cores of a small machine: many tests wait, for processes to start and for real time-outs.
    maxWorkers: 3,
    // Files share what a worker has loaded and the keys it has made; each test has a daemon and an authority of its own.
    isolate: false,
  },
})
