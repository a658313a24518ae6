import { fileURLToPath } from 'node:url'
import AjvCompiler from '@fastify/ajv-compiler'
import { _ } from 'ajv'
import type { Plugin } from 'esbuild'
import { AJV_OPTIONS } from '../src/api/ajv-options.ts'
import { IncludeMessages, SaleBody } from '../src/contract/v1/invoice.ts'

/** The schemas of a sale. Every other request may wait for Ajv. */
const AHEAD: Record<string, object> = { SaleBody, IncludeMessages }
const NAMES = Object.keys(AHEAD)

const PREFIX = 'validator-of:'
const ROOT = fileURLToPath(new URL('..', import.meta.url))

/** Writes the validators of a sale into the bundle: the code that Ajv would write when the first sale comes. */
export const validatorsAhead: Plugin = {
  name: 'validators-ahead',
  setup(build) {
    build.onLoad({ filter: /src\/api\/compiled-ahead\.ts$/ }, () => ({
      contents: [
        `import { ${NAMES.join(', ')} } from '../contract/v1/invoice.ts'`,
        ...NAMES.map((name) => `import of${name} from '${PREFIX}${name}'`),
        `export const COMPILED_AHEAD = new Map([${NAMES.map((name) => `[${name}, of${name}]`).join(', ')}])`,
      ].join('\n'),
    }))
    build.onResolve({ filter: new RegExp(`^${PREFIX}`) }, ({ path }) => ({ path, namespace: 'validators' }))
    build.onLoad({ filter: /./, namespace: 'validators' }, ({ path }) => ({
      contents: `import { AJV_OPTIONS } from './src/api/ajv-options.ts'\n${codeOf(path.slice(PREFIX.length))}`,
      resolveDir: ROOT,
    }))
  },
}

/** An ES module whose default export is the validator. */
function codeOf(name: string): string {
  let written = ''
  const compiler = AjvCompiler.StandaloneValidator({
    readMode: false,
    storeFunction: (_route, code) => {
      written = code
    },
  })
  const code = { source: true, esm: true, formats: _`AJV_OPTIONS.formats` }
  const compile = compiler({}, { customOptions: { ...AJV_OPTIONS, code } }) as unknown as (route: object) => unknown
  compile({ schema: AHEAD[name] ?? {} })
  return written
}
