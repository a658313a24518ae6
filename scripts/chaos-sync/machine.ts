import { join } from 'node:path'
import { type Authority, simulated, trustAuthority } from '../chaos/authority.ts'
import { type Ending, type Life, startDaemon } from '../chaos/daemon.ts'
import { ask } from '../chaos/http.ts'
import type { Scratch } from '../chaos/scratch.ts'

/** A daemon that is killed and started again on the same data; those who speak with it find out by themselves. */
export interface KillableProcess {
  name: string
  dataDir: string
  base: string
  /** Starts it unless it runs. @returns whether it got ready */
  rise(): Promise<boolean>
  kill(): Promise<void>
  /** SIGTERM. */
  stop(): Promise<Ending>
  /** Over its admin socket. @throws Error with what was answered when that is no success */
  admin(method: 'GET' | 'POST' | 'PATCH', path: string, body?: object): Promise<Record<string, unknown>>
  /** Of its life now. */
  pid(): number | undefined
  /** Ends that nobody caused. */
  ownEnds: Ending[]
}

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
    async admin(method, path, body) {
      const answer = await ask(
        { socketPath: join(dataDir, 'fiskd.sock') },
        {
          method,
          path,
          ...(body && { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
        },
      )
      if (answer === null || answer.status >= 300) throw new Error(`${name}: ${path}: ${answer?.text ?? 'no answer'}`)
      return answer.text === '' ? {} : JSON.parse(answer.text)
    },
  }
}
