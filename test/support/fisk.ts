import { PassThrough, Readable } from 'node:stream'
import type { Io, SystemPaths } from '../../src/cli/io.ts'
import { run } from '../../src/cli/program.ts'

export interface Ran {
  code: number
  stdout: string
  stderr: string
}

interface Around {
  /** The admin socket, as `FISKD_SOCKET`. */
  socket?: string
  stdin?: string
  isTty?: boolean
  /** Questions that appear and what somebody types; the streams are a terminal then. */
  dialogue?: [question: string, answer: string][]
  env?: Record<string, string>
  fiskd?: string
  /** Ends what goes on until somebody wants no more of it. */
  until?: AbortSignal
  /** Nowhere unless given: what `fisk` finds must not depend on the machine that the tests run on. */
  paths?: Partial<SystemPaths>
  lanAddresses?: Io['lanAddresses']
}

const NOWHERE = {
  systemd: '/nowhere/systemd',
  proc: '/nowhere/proc',
  sys: '/nowhere/sys',
  sealedVaultKey: '/nowhere/key',
}

/** Runs `fisk` in this process, with streams that are read afterwards. */
export async function fisk(argv: string[], around: Around = {}): Promise<Ran> {
  const [stdout, stderr] = [new Collected(), new Collected()]
  const { socket, stdin = '', dialogue, isTty = dialogue !== undefined, env = {}, fiskd, paths, lanAddresses } = around
  const person = dialogue && new Person(dialogue)
  person?.watch(stdout)
  const io: Io = {
    stdin: person ?? Readable.from([Buffer.from(stdin)]),
    stdout,
    stderr,
    isTty,
    env: { FISKD_ENV_FILE: '/nowhere/fiskd.env', ...(socket !== undefined && { FISKD_SOCKET: socket }), ...env },
    paths: { ...NOWHERE, ...paths },
    ...(fiskd !== undefined && { fiskd }),
    ...(around.until !== undefined && { until: around.until }),
    ...(lanAddresses !== undefined && { lanAddresses }),
  }
  const code = await run(argv, io)
  return { code, stdout: stdout.text(), stderr: stderr.text() }
}

class Collected extends PassThrough {
  constructor() {
    // A long dialogue is not read before its end.
    super({ highWaterMark: 2 ** 24 })
  }

  text(): string {
    const bytes: Buffer | null = this.read()
    return bytes?.toString('utf8') ?? ''
  }
}

/**
 * Somebody at a terminal: waits for each question to appear and types its answer, ended by Enter. An empty answer
 * takes what the question offers.
 */
class Person extends PassThrough {
  private shown = ''
  private readonly dialogue: [question: string, answer: string][]

  constructor(dialogue: [question: string, answer: string][]) {
    super()
    this.dialogue = dialogue
  }

  watch(screen: PassThrough): void {
    const write = screen.write.bind(screen)
    screen.write = ((text: string) => {
      this.shown += text
      setImmediate(() => this.answer())
      return write(text)
    }) as typeof screen.write
  }

  private answer(): void {
    const [next] = this.dialogue
    if (next === undefined || !this.shown.includes(next[0])) return
    this.dialogue.shift()
    this.shown = ''
    this.write(next[1])
    setImmediate(() => this.write('\r'))
  }
}
