import type { Plugin } from 'esbuild'

/**
 * Takes `node:http` as CommonJS does. To import it as an ES module reads each of its exports at once, and that of `WebSocket`
 * loads the undici inside Node: 6 MB of a gateway at rest, for what nothing here uses.
 */
export const httpWithoutWebSocket: Plugin = {
  name: 'http without WebSocket',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^(node:)?http$/ }, ({ kind }) =>
      kind === 'import-statement' ? { path: 'http', namespace: 'builtin' } : undefined,
    )
    onLoad({ filter: /./, namespace: 'builtin' }, ({ path }) => ({
      contents: `module.exports = process.getBuiltinModule(${JSON.stringify(path)})`,
    }))
  },
}
