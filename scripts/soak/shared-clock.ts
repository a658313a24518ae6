import { spawnSync } from 'node:child_process'
import { closeSync, existsSync, openSync, readdirSync, readFileSync, readSync, writeFileSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { UsageError } from '../chaos/arguments.ts'
import { pause, tick } from '../chaos/wait.ts'

/** The clock that every process of a run shares, this one included. */
export interface SharedClock {
  /** What a process is started with so that it goes by this clock. */
  env: Record<string, string>
  /** Sets the wall clock alone, while no daemon runs that would notice. */
  set(now: number): void
  /** Lets time pass for everybody. */
  advance(ms: number): void
  /** Resolves when all processes have looked for events for a few milliseconds and had none. @throws Error when one never does */
  quiet(): Promise<void>
  /** Does not wait for this process any more: it was stopped. */
  ignore(pid: number): void
  /** Milliseconds that really pass. */
  realTick(): number
}

const SOURCE = fileURLToPath(new URL('shared-clock.c', import.meta.url))
const VARIABLE = 'SHARED_CLOCK'

/** As in shared-clock.c, all of 8 bytes: two offsets, and slots of process id, whether it waits, when it was active and looked. */
const WORD = 8
const OFFSETS = 2
const SLOT_WORDS = 4
const SLOTS = 128
const FILE_BYTES = (OFFSETS + SLOTS * SLOT_WORDS) * WORD

/** So long everybody has to have looked and found nothing: longer than an answer takes on its way between two processes. */
const QUIET_MS = 10
const NEVER_QUIET_MS = 120_000
const NS_PER_MS = 1_000_000

/**
 * Builds the library, and an environment by which processes share a clock.
 * @throws UsageError when gcc is missing, or the library does nothing
 */
export function buildClock(dir: string): Record<string, string> {
  const library = join(dir, 'shared-clock.so')
  const file = join(dir, 'shared-clock')
  const built = spawnSync('gcc', ['-O2', '-shared', '-fPIC', '-o', library, SOURCE, '-ldl', '-pthread'], {
    encoding: 'utf8',
  })
  if (built.error) throw new UsageError('the clock is a small library in C: install Debian packages gcc and libc6-dev')
  if (built.status !== 0) throw new Error(`gcc: ${built.stderr}`)
  writeFileSync(file, Buffer.alloc(FILE_BYTES))
  const env = { LD_PRELOAD: library, [VARIABLE]: file }
  prove(env, file)
  return env
}

/** A library that is not loaded is ignored without a word. */
function prove(env: Record<string, string>, file: string): void {
  const day = 86_400
  setWord(file, 1, day * 1000)
  const { stdout, stderr } = spawnSync(process.execPath, ['-p', 'Date.now() / 1000 + " " + os.uptime()'], {
    env,
    encoding: 'utf8',
  })
  const [now = 0, up = 0] = stdout.split(' ').map(Number)
  writeFileSync(file, Buffer.alloc(FILE_BYTES))
  if (now - Date.now() / 1000 < day - 60 || up < day)
    throw new UsageError(`the clocks do not move: ${stderr || stdout}`)
}

/** Sets the wall clock alone of all who were started with this environment: so far ahead of the real one, or behind it. */
export const setAhead = ({ [VARIABLE]: file = '' }: Record<string, string>, ms: number) => setWord(file, 0, ms)

function setWord(file: string, word: number, ms: number): void {
  const handle = openSync(file, 'r+')
  const bytes = Buffer.alloc(WORD)
  bytes.writeBigInt64LE(BigInt(Math.round(ms)) * BigInt(NS_PER_MS))
  writeSync(handle, bytes, 0, WORD, word * WORD)
  closeSync(handle)
}

/** Null when it has ended. */
function childrenOf(pid: number): number[] | null {
  const children = readProc(`${pid}/task/${pid}/children`)
  return children === null ? null : children.split(' ').filter(Boolean).map(Number)
}

/** What compiles our own scripts takes no part. */
const isCompiler = (pid: number) => readProc(`${pid}/comm`) === 'esbuild'

/** One that signs, compresses or writes beside the main thread; those that wait for events are named by shared-clock.c. */
function hasBusyThread(pid: number): boolean {
  return threadsOf(pid)
    .filter((thread) => thread !== String(pid))
    .map((thread) => readProc(`${pid}/task/${thread}/stat`) ?? '')
    .some((stat) => /\) [RD] /.test(stat) && !stat.includes(' (waits) '))
}

function threadsOf(pid: number): string[] {
  try {
    return readdirSync(`/proc/${pid}/task`)
  } catch {
    return []
  }
}

function readProc(name: string): string | null {
  try {
    return readFileSync(`/proc/${name}`, 'latin1').trim()
  } catch {
    return null
  }
}

/** In a process that was started with the environment of `buildClock`. */
export function openClock(): SharedClock {
  const { LD_PRELOAD = '', [VARIABLE]: file = '' } = process.env
  const handle = openSync(file, 'r')
  const ignored = new Set([process.pid])
  let wall = 0
  let elapsed = 0
  const realTick = () => tick() - elapsed

  /**
   * Who has worked since then, or has not looked for long enough whether there is work, or has a child or a thread that
   * works. What each process says of itself counts: on a busy machine it may be long before one sees what it is sent.
   */
  function busy(since: number): { pid: number; worked: boolean } | undefined {
    const bytes = Buffer.alloc(FILE_BYTES)
    readSync(handle, bytes, 0, FILE_BYTES, 0)
    const word = (at: number) => Number(bytes.readBigInt64LE(at * WORD))
    const slots = Array.from({ length: SLOTS }, (_, slot) => OFFSETS + slot * SLOT_WORDS)
    const joined = slots.filter((at) => word(at) !== 0)
    const pids = new Set(joined.map(word))
    for (const at of joined) {
      const pid = word(at)
      if (ignored.has(pid)) continue
      const children = childrenOf(pid)
      if (children === null && existsSync(`/proc/${pid}/exe`)) return { pid, worked: true }
      if (children === null) {
        setWord(file, at, 0)
        continue
      }
      const worked =
        word(at + 1) === 0 ||
        word(at + 2) / NS_PER_MS > since ||
        children.some((child) => !pids.has(child) && !isCompiler(child)) ||
        hasBusyThread(pid)
      if (worked || word(at + 3) / NS_PER_MS < since + QUIET_MS) return { pid, worked }
    }
    return undefined
  }

  return {
    env: { LD_PRELOAD, [VARIABLE]: file },
    set(now) {
      wall += now - Date.now()
      setWord(file, 0, wall)
    },
    advance(ms) {
      elapsed += ms
      setWord(file, 1, elapsed)
    },
    async quiet() {
      let since = realTick()
      const giveUpAt = since + NEVER_QUIET_MS
      for (let one = busy(since); one; one = busy(since)) {
        if (realTick() > giveUpAt) throw new Error(`process ${one.pid} has been busy for ${NEVER_QUIET_MS / 1000} s`)
        await pause(1)
        if (one.worked) since = realTick()
      }
    },
    ignore: (pid) => void ignored.add(pid),
    realTick,
  }
}
