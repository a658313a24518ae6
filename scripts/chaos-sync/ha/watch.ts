import { writeOnAndOn } from '../../../test/support/plain-client.ts'
import { ask } from '../../chaos/http.ts'
import type { Shop } from '../../chaos/shop.ts'
import { pause, tick } from '../../chaos/wait.ts'
import type { KillableProcess } from '../machine.ts'

export interface Watch {
  /** When each write of a plain client was acknowledged, by `tick`. */
  writes: number[]
  /** What processes said of their health, asked and answered by `tick`. */
  said: { who: string; asked: number; answered: number; isDown: boolean }[]
  stop(): Promise<void>
}

/** Beside the machines: a plain client writes, and each process is asked for its health. */
export function startWatch(url: string, servers: readonly KillableProcess[], shop: Shop): Watch {
  const [writes, said]: [number[], Watch['said']] = [[], []]
  const over = new AbortController()

  async function listen({ name, base }: KillableProcess): Promise<void> {
    for (; !over.signal.aborted; await pause(500)) {
      const asked = tick()
      const answer = await ask({ ...shop.target, base } as Shop['target'], { path: '/v1/health' })
      if (answer) said.push({ who: name, asked, answered: tick(), isDown: answer.status === 503 })
    }
  }

  const working = Promise.all([writeOnAndOn(url, over.signal, () => writes.push(tick())), ...servers.map(listen)])
  return {
    ...{ writes, said },
    async stop() {
      over.abort()
      // A write may hang.
      await Promise.race([working, pause(10_000)])
    },
  }
}
