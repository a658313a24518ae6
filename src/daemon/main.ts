import { flushCompileCache } from 'node:module'
import { setFlagsFromString } from 'node:v8'
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

const { runningDaemon: daemon } = await import('./program.ts')
// The old generation is tidied when three fifths have come to it, not when it has doubled: said once the daemon is ready,
// which nothing is to hold up. At a fifth, tidying took a quarter of all processor time of 64 clients.
if (isSmall) setFlags('--heap-growing-percent=60')
// Node would write its compile cache at the exit, and a kiosk is switched off and never exits.
void daemon?.rehearsal.ended.then(() => setTimeout(flushCompileCache, SALE_MS).unref())

async function collectGarbage(): Promise<void> {
  setFlags('--expose-gc')
  try {
    runInNewContext('globalThis.gc')?.()
  } finally {
    setFlags('--no-expose-gc')
  }
}

function setFlags(...flags: string[]): void {
  for (const flag of flags) setFlagsFromString(flag)
}
