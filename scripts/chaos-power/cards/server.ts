import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { simulated } from '../../chaos/authority.ts'
import { type Life, startDaemon } from '../../chaos/daemon.ts'
import { ask, JSON_TYPE } from '../../chaos/http.ts'
import type { Scratch } from '../../chaos/scratch.ts'
import { made } from '../../chaos/shop.ts'
import { pause, tick } from '../../chaos/wait.ts'

/** A central server on this host. */
export interface Central {
  /** Enrols the gateway behind an admin socket. */
  enrol(socketPath: string): Promise<void>
  /** Resolves when the gateway has told something, or everything. @throws Error when it does not in time */
  told(socketPath: string, what: 'something' | 'everything'): Promise<void>
  stop(): Promise<void>
}

const TOLD_MS = 30_000

export async function startServer(dist: string, port: number, url: string, scratch: Scratch): Promise<Central> {
  const dataDir = join(scratch.dir, `server-${port}`)
  mkdirSync(dataDir)
  const env = {
    FISKD_ROLE: 'server',
    FISKD_DATA_DIR: dataDir,
    FISKD_LISTEN: `127.0.0.1:${port}`,
    ...simulated({ url }),
  }
  const life: Life = startDaemon(dist, env, scratch, 'server.log')
  if ((await life.ready) === null) throw new Error(`the server did not start:\n${(await life.ended).lastWords}`)
  const post = (socketPath: string, path: string, body: object) =>
    ask({ socketPath }, { method: 'POST', path, headers: JSON_TYPE, body: JSON.stringify(body) })
  return {
    async enrol(socketPath) {
      const { token } = made(await post(join(dataDir, 'fiskd.sock'), '/admin/gateways', { name: 'kiosk' }))
      made(await post(socketPath, '/admin/sync/enroll', { url: `https://127.0.0.1:${port}`, token }))
    },
    async told(socketPath, what) {
      const giveUpAt = tick() + TOLD_MS
      for (;;) {
        await post(socketPath, '/admin/sync/now', {})
        await pause(300)
        const answer = await ask({ socketPath }, { path: '/admin/sync' })
        const { sync } = JSON.parse(answer?.text ?? '{}') as {
          sync?: { waiting: number; state: string; last_push_at: string | null }
        }
        const isDone = sync?.state === 'connected' && (what === 'something' || sync.waiting === 0)
        if (isDone && sync.last_push_at !== null) return
        if (tick() > giveUpAt) throw new Error(`the server was not told: ${answer?.text}`)
      }
    },
    async stop() {
      await life.terminate()
    },
  }
}
