import { mkdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Script } from 'node:vm'
import { crc32 } from 'node:zlib'
import { writeFileAtomic } from './lifecycle/atomic-file.ts'

/** How far the program had come when compiled code was kept: it had started, or also sold. */
export type Stage = 'started' | 'sold'

export interface ScriptLoader {
  /** As `import()`, for the program. */
  load(file: 'program.js'): Promise<typeof import('./program.ts')>
  /**
   * Keeps what the engine has compiled so far of each script, for the next start, unless as much is kept already. Once in a
   * life. Never throws: without it the next start is slower, and nothing else.
   */
  keep(stage: Stage): Promise<void>
}

interface Loaded {
  script: Script
  /** Checksum of its text. */
  sum: number
  /** The stage at which the code that it runs with was kept; undefined when it was compiled anew. */
  kept: Stage | undefined
}

const STAGES: readonly Stage[] = ['started', 'sold']

/**
 * Loads the scripts of the bundle, with the code that an earlier life has compiled.
 * @param folder of the scripts
 * @param cache where compiled code is kept; undefined for nowhere
 * @param asAtLoad calls what takes compiled code from the engine while it has the settings with which scripts are loaded: it
 *   refuses code that was compiled with others
 */
export function createScriptLoader(
  folder: URL,
  cache: string | undefined,
  asAtLoad: (compiled: () => Buffer) => Buffer,
): ScriptLoader {
  const loaded = new Map<string, Loaded>()
  // What a script exports, or a promise of it.
  const exports = new Map()
  const path = dirname(fileURLToPath(new URL('program.js', folder)))
  const require = createRequire(folder)

  /** Scripts call it with `./name.js`. */
  function load(file: string) {
    const known = exports.get(file)
    if (known) return known
    const name = basename(file)
    const source = readFileSync(join(path, name))
    const sum = crc32(source)
    const code = cache === undefined ? undefined : readKept(join(cache, name), sum)
    const url = new URL(name, folder).href
    const script = new Script(source.toString(), { filename: url, ...(code && { cachedData: code.data }) })
    loaded.set(name, { script, sum, kept: code && !script.cachedDataRejected ? code.stage : undefined })
    const importOther = (what: string) => import(what)
    // What it is given is what Node gives to a module (scripts/module-as-script.ts).
    const body = script.runInThisContext()
    const given = body(load, later, importOther, { url, dirname: path }, require, join(path, name), path)
    exports.set(file, given)
    // What it could not do may be done later: a file that it reads was being replaced.
    if (given instanceof Promise) given.catch(() => exports.delete(file))
    return given
  }

  const later = async (file: string) => load(file)

  async function keepAll(folder: string, stage: Stage): Promise<void> {
    const compiled = [...loaded]
    loaded.clear()
    mkdirSync(folder, { recursive: true })
    for (const [name, { script, sum, kept }] of compiled) {
      if (kept === 'sold' || kept === stage) continue
      const data = asAtLoad(() => script.createCachedData())
      await writeFileAtomic(join(folder, name), fileOf({ sum, stage, data }), 0o600)
    }
  }

  return {
    load: later,
    keep: async (stage) => (cache === undefined ? undefined : keepAll(cache, stage).catch(() => {})),
  }
}

/** Compiled code as it is kept: made from a text with this checksum. */
interface Kept {
  sum: number
  stage: Stage
  data: Buffer
}

/** Three numbers: the checksums of text and code, and the stage. */
const HEADER_BYTES = 12

/** @returns undefined when nothing whole is kept there, or what was compiled from another text */
function readKept(file: string, sum: number): Kept | undefined {
  try {
    const bytes = readFileSync(file)
    const data = bytes.subarray(HEADER_BYTES)
    const stage = STAGES[bytes.readUInt32LE(8)]
    const isOurs = bytes.readUInt32LE(0) === sum && bytes.readUInt32LE(4) === crc32(data)
    return isOurs && stage ? { sum, stage, data } : undefined
  } catch {
    return undefined
  }
}

function fileOf({ sum, stage, data }: Kept): Buffer {
  const header = Buffer.from(Uint32Array.of(sum, crc32(data), STAGES.indexOf(stage)).buffer)
  return Buffer.concat([header, data])
}
