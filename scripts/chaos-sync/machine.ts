import { join } from 'node:path'
import { type Authority, simulated, trustAuthority } from '../chaos/authority.ts'
import { type Ending, type Life, startDaemon } from '../chaos/daemon.ts'
import { command } from '../chaos/http.ts'
import type { Scratch } from '../chaos/scratch.ts'

/** A daemon that is killed and started again on the same data; those who speak with it find out by themselves. */
export interface KillableProcess {
  name: string
  dataDir: string
  /** Its admin socket. */
  socketPath: string
  base: string
  /** Starts it unless it runs. @returns whether it got ready */
  rise(): Promise<boolean>
  kill(): Promise<void>
  /** SIGTERM. */
  stop(): Promise<Ending>
  /** Over its admin socket. @throws Error with what was answered when that is no success */
  admin(...question: Tail<Parameters<typeof command>>): ReturnType<typeof command>
  /** Of its life now. */
  pid(): number | undefined
  /** Ends that nobody caused. */
  ownEnds: Ending[]
}

type Tail<T extends unknown[]> = T extends [unknown, ...infer Rest] ? Rest : never

export interface KillableProcessOrder {
  name: string
  port: number
  dist: string
  authority: Pick<Authority, 'facts'>
  env: Record<string, string>
}

export function createKillableProcess(
  { name, port, dist, authority, env }: KillableProcessOrder,
  scratch: Scratch,
): KillableProcess {
  const dataDir = join(scratch.dir, name)
  const socketPath = join(dataDir, 'fiskd.sock')
  trustAuthority(dataDir, authority.facts)
  const ownEnds: Ending[] = []
  let life: Life | undefined

  function begin(): Life {
    const begun = startDaemon(
      dist,
      {
        FISKD_DATA_DIR: dataDir,
        FISKD_LISTEN: `127.0.0.1:${port}`,
        ...simulated(authority.facts),
        FISKD_SWEEP_INTERVAL_S: '2',
        ...env,
      },
      scratch,
      `${name}.log`,
    )
    void begun.ended.then((ending) => {
      if (life !== begun) return
      life = undefined
      ownEnds.push(ending)
    })
    return begun
  }

  return {
    name,
    dataDir,
    socketPath,
    base: `https://127.0.0.1:${port}`,
    ownEnds,
    pid: () => life?.pid,
    async rise() {
      life ??= begin()
      return (await life.ready) !== null
    },
    async kill() {
      const dying = life
      life = undefined
      await dying?.kill()
    },
    async stop() {
      const ending = life
      life = undefined
      return ending ? ending.terminate() : { code: 0, signal: null, lastWords: '' }
    },
    admin: (...question) => command(socketPath, ...question),
  }
}
