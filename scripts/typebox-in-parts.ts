import type { Plugin } from 'esbuild'

const PACKAGE = /node_modules\/typebox\//

/**
 * Lets the bundle take parts of typebox. Its modules do nothing but define, which its manifest does not say: so each
 * program would read all of it, which takes `fisk` longer than its answer.
 */
export const typeboxInParts: Plugin = {
  name: 'typebox-in-parts',
  setup(build) {
    build.onResolve({ filter: /^(typebox(\/|$)|\.)/ }, async ({ path, pluginData, ...from }) => {
      if (pluginData === typeboxInParts) return
      if (path.startsWith('.') && !PACKAGE.test(from.importer)) return
      const found = await build.resolve(path, { ...from, pluginData: typeboxInParts })
      return PACKAGE.test(found.path) ? { ...found, sideEffects: false } : found
    })
  },
}
