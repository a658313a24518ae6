import { flushCompileCache } from 'node:module'
import { join } from 'node:path'
import { cachedDataVersionTag, setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

// The SQLite driver crashes below version 10 of Node's interface for native modules, at the first database.
if (Number(process.versions.napi) < 10) {
  process.stderr.write(`fiskd does not run on Node ${process.versions.node}: use 22.14 or newer, best of all 24.\n`)
  process.exit(2)
}

/** A sale that has ended the rehearsal is over by then. */
const SALE_MS = 5000

// A gateway shares a small machine with other programs, and V8 rarely returns heap memory to the system. A server has
// enough memory and needs the processor time.
const isSmall = process.env.FISKD_ROLE !== 'server'

// Said before anything else is read. The young generation keeps the first megabyte: it would grow to sixteen times that,
// twice, while the program is read. What has run a few times is not translated into machine code before it is worth an
// optimization, and what has not run for a while is forgotten: some 2 MB each, and no processor time that could be measured.
if (isSmall) setFlags('--semi-space-growth-factor=1', '--no-sparkplug', '--bytecode-old-age=2')
// As `--expose-gc` does, for the end of the rehearsal, but made when it is called.
if (isSmall) globalThis.gc = collectGarbage as NodeJS.GCFunction
// The classes of libxml2-wasm leave their constructors out, and each attempt of the engine to compile what makes one of
// their objects is given up at its end and begun again: a tenth of all processor time.
setFlags('--no-omit-default-ctors')

// In the bundle the program is a set of scripts, of which the loader keeps what the engine has compiled: the next start takes a
// sixth less processor time, its first sale a quarter less. It keeps it early, for a kiosk is switched off and never exits.
const { createScriptLoader } = await import('./script-loader.ts')
const { NODE_COMPILE_CACHE: folder } = process.env
// Code that was compiled by another engine, or with other settings, as those of a server, is of no use.
const cache = folder ? join(folder, `fiskd-${cachedDataVersionTag()}`) : undefined
const scripts = createScriptLoader(new URL('../program/', import.meta.url), cache, asAtLoad)
const fromSources = import.meta.url.endsWith('.ts')
const daemon = fromSources
  ? (await import('./program.ts')).runningDaemon
  : (await scripts.load('program.js')).runningDaemon
// The old generation is tidied when three fifths have come to it, not when it has doubled: said once the daemon is ready,
// which nothing is to hold up. At a fifth, tidying took a quarter of all processor time of 64 clients.
const GROWING = '--heap-growing-percent='
if (isSmall) setFlags(`${GROWING}60`)
void daemon?.rehearsal.ended.then((hasSold) => setTimeout(keep, SALE_MS, hasSold).unref())

async function keep(hasSold: boolean): Promise<void> {
  await scripts.keep(hasSold ? 'sold' : 'started')
  // What Node itself loads, as the driver of SQLite.
  flushCompileCache()
}

function asAtLoad(compiled: () => Buffer): Buffer {
  setFlags(`${GROWING}0`)
  try {
    return compiled()
  } finally {
    if (isSmall) setFlags(`${GROWING}60`)
  }
}

async function collectGarbage(): Promise<void> {
  // Code that only a start runs is to be there when it is kept.
  setFlags('--expose-gc', '--no-flush-bytecode')
  try {
    runInNewContext('globalThis.gc')?.()
  } finally {
    setFlags('--no-expose-gc', '--flush-bytecode')
  }
}

function setFlags(...flags: string[]): void {
  for (const flag of flags) setFlagsFromString(flag)
}
