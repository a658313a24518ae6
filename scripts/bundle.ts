import { cpSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { basename, dirname, extname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { build, type Metafile, transform } from 'esbuild'
import { EXTERNALS } from './externals.ts'
import { httpWithoutWebSocket } from './http-without-websocket.ts'
import { moduleAsScript } from './module-as-script.ts'
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

/** The daemon's program, which its `main.ts` loads as scripts, and their folder. */
const PROGRAM = 'src/daemon/program.ts'
const SCRIPTS = 'program'

/** What src/store/sqlite/child-processes/start-child.ts starts. */
const CHILD_PROCESSES = ['check-database', 'copy-database', 'find-contradictions', 'keep-checkpointed']

interface Part {
  entryPoints: Record<string, string>
  /** Where the files go that its entry points share: as deep below the package as the sources, which look for package.json. */
  shared: string
  /** What it imports only where there is no bundle. */
  outside?: string[]
}

const children = CHILD_PROCESSES.map((name) => [`store/${name}`, `src/store/sqlite/child-processes/${name}.ts`])

/** Apart: what only the daemon needs of a package would slow down each start of `fisk`. */
const PARTS: Part[] = [
  {
    entryPoints: { 'daemon/main': 'src/daemon/main.ts', ...Object.fromEntries(children) },
    shared: 'chunks',
    outside: ['./program.ts'],
  },
  { entryPoints: { [`${SCRIPTS}/program`]: PROGRAM }, shared: SCRIPTS },
  { entryPoints: { 'cli/main': 'src/cli/main.ts' }, shared: 'chunks' },
  { entryPoints: { 'firmware-trial/main': 'src/firmware-trial/main.ts' }, shared: 'chunks' },
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
  await writeScripts(files.filter((path) => dirname(resolve(path)) === resolve(dist, SCRIPTS)))
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

async function bundlePart(
  { entryPoints, shared, outside = [] }: Part,
  dist: string,
  sourcemap: boolean,
): Promise<Metafile> {
  const { metafile } = await build({
    entryPoints,
    outdir: dist,
    chunkNames: `${shared}/[name]-[hash]`,
    bundle: true,
    splitting: true,
    metafile: true,
    sourcemap,
    format: 'esm',
    platform: 'node',
    target: 'node22.14',
    external: [...EXTERNALS, ...outside],
    alias: { undici: fileURLToPath(new URL('undici.ts', import.meta.url)) },
    plugins: [
      httpWithoutWebSocket,
      typeboxInParts,
      validatorsAhead,
      wasmBesideBundle(join(dist, 'libxml2.wasm'), '../libxml2.wasm'),
    ],
    legalComments: 'none',
    // Without comments and indents: the engine keeps the whole text. Names stay, and lines short, for stack traces.
    minifyWhitespace: true,
    lineLimit: 120,
    // A script is given the same by its loader.
    ...(shared !== SCRIPTS && { banner: { js: COMMONJS } }),
    logLevel: 'warning',
  })
  return metafile
}

/** @throws Error when a script would not do what its module does */
async function writeScripts(paths: string[]): Promise<void> {
  const scripts = paths.map((path) => ({ path, ...moduleAsScript(path, readFileSync(path, 'utf8')) }))
  const waiting = new Set(scripts.filter(({ isAsync }) => isAsync).map(({ path }) => `./${basename(path)}`))
  for (const { path, script, imports } of scripts) {
    const waited = imports.find((file) => waiting.has(file))
    if (waited)
      throw new Error(`${path} imports ${waited}, which waits at its top level: only import() can wait for it`)
    // Fails where this is no program any more.
    await transform(script)
    writeFileSync(path, script)
  }
}

/**
 * One letter beyond Latin-1 and the engine keeps two bytes for each letter of the file. esbuild escapes such letters in
 * strings, but not in regular expressions.
 */
function refuseWide(path: string, code: string): void {
  const wide = /[^\0-\xff].{0,40}/.exec(code)
  if (wide) throw new Error(`${path} holds what is not Latin-1: escape it as \\u....: ${wide[0]}`)
}
