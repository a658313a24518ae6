import { cpSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { extname, join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { build, type Metafile } from 'esbuild'
import { EXTERNALS } from './externals.ts'
import { typeboxInParts } from './typebox-in-parts.ts'
import { validatorsAhead } from './validators-ahead.ts'
import { wasmBesideBundle } from './wasm-beside-bundle.ts'

/** CommonJS packages in the bundle ask for what an ES module does not have. */
const COMMONJS = `import { createRequire as bundledRequire } from 'node:module'
import { dirname as bundledDirname } from 'node:path'
import { fileURLToPath as bundledPath } from 'node:url'
const require = bundledRequire(import.meta.url)
const __filename = bundledPath(import.meta.url)
const __dirname = bundledDirname(__filename)`

/** What src/store/sqlite/child-processes/start-child.ts starts. */
const CHILD_PROCESSES = ['check-database', 'copy-database', 'find-contradictions', 'keep-checkpointed']

const children = CHILD_PROCESSES.map((name) => [`store/${name}`, `src/store/sqlite/child-processes/${name}.ts`])

/** Apart: what only the daemon needs of a package would slow down each start of `fisk`. */
const PARTS: Record<string, string>[] = [
  {
    'daemon/main': 'src/daemon/main.ts',
    'api/reference-worker': 'src/api/docs/reference-worker.ts',
    'receipts/pdf-worker': 'src/receipts/pdf/pdf-worker.ts',
    ...Object.fromEntries(children),
  },
  { 'cli/main': 'src/cli/main.ts' },
  { 'firmware-trial/main': 'src/firmware-trial/main.ts' },
]

/** Makes `dist/`: the programs, and what they load only when they need it. Reading one file is quicker than a thousand. */
export async function bundle(dist = 'dist', { sourcemap = false } = {}) {
  rmSync(dist, { recursive: true, force: true })
  const parts: Metafile[] = []
  for (const part of PARTS) parts.push(await bundlePart(part, dist, sourcemap))
  const metafile: Metafile = {
    inputs: Object.assign({}, ...parts.map(({ inputs }) => inputs)),
    outputs: Object.assign({}, ...parts.map(({ outputs }) => outputs)),
  }
  const files = Object.keys(metafile.outputs).filter((path) => extname(path) === '.js')
  for (const path of files) refuseWide(path, readFileSync(path, 'utf8'))
  // What the dashboard reads beside its code: views, styles and what browsers run.
  const isCode = (path: string) => extname(path) === '.ts'
  cpSync('src/dashboard', join(dist, 'dashboard'), {
    recursive: true,
    filter: (path) => statSync(path).isDirectory() || !isCode(path),
  })
  const assets = join(dist, 'dashboard/assets')
  for (const file of readdirSync(assets)) {
    writeFileSync(join(assets, `${file}.gz`), gzipSync(readFileSync(join(assets, file)), { level: 9 }))
  }
  // Tells the program when it was built: no clock of its machine can be right that is behind this.
  const { SOURCE_DATE_EPOCH: epoch } = process.env
  const builtAt = epoch ? new Date(Number(epoch) * 1000) : new Date()
  writeFileSync(join(dist, 'build.json'), `${JSON.stringify({ builtAt: builtAt.toISOString() })}\n`)
  return metafile
}

async function bundlePart(entryPoints: Record<string, string>, dist: string, sourcemap: boolean): Promise<Metafile> {
  const { metafile } = await build({
    entryPoints,
    outdir: dist,
    // As deep below the package as the sources, which look for package.json.
    chunkNames: 'chunks/[name]-[hash]',
    bundle: true,
    splitting: true,
    metafile: true,
    sourcemap,
    format: 'esm',
    platform: 'node',
    target: 'node22.14',
    external: EXTERNALS,
    plugins: [typeboxInParts, validatorsAhead, wasmBesideBundle(join(dist, 'libxml2.wasm'), '../libxml2.wasm')],
    legalComments: 'none',
    // Without comments and indents: the engine keeps the whole text. Names stay, and lines short, for stack traces.
    minifyWhitespace: true,
    lineLimit: 120,
    banner: { js: COMMONJS },
    logLevel: 'warning',
  })
  return metafile
}

/**
 * One letter beyond Latin-1 and the engine keeps two bytes for each letter of the file. esbuild escapes such letters in
 * strings, but not in regular expressions.
 */
function refuseWide(path: string, code: string): void {
  const wide = /[^\0-\xff].{0,40}/.exec(code)
  if (wide) throw new Error(`${path} holds what is not Latin-1: escape it as \\u....: ${wide[0]}`)
}
