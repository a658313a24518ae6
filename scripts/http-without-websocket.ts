import type { Plugin } from 'esbuild'

/**
 * Takes `node:http` as CommonJS does. To import it as an ES module reads each of its exports at once, and that of `WebSocket`
 * loads the undici inside Node: 14 MB and 25 ms of a start, for what nothing here uses.
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
