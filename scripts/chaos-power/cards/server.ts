import type { Authority } from '../../chaos/authority.ts'
import { command } from '../../chaos/http.ts'
import type { Scratch } from '../../chaos/scratch.ts'
import { pause, tick } from '../../chaos/wait.ts'
import { createKillableProcess } from '../../chaos-sync/machine.ts'
import { riseOrThrow } from '../../chaos-sync/servers.ts'

/** A central server on this host. */
export interface Central {
  /** Enrols the gateway behind an admin socket. */
  enrol(socketPath: string): Promise<void>
  /** Resolves when the gateway has told something, or everything. @throws Error when it does not in time */
  told(socketPath: string, what: 'something' | 'everything'): Promise<void>
  stop(): Promise<unknown>
}

const TOLD_MS = 30_000

export async function startServer(
  { dist, port, authority }: { dist: string; port: number; authority: Authority },
  scratch: Scratch,
): Promise<Central> {
  const order = { name: `server-${port}`, port, dist, authority, env: { FISKD_ROLE: 'server' } }
  const server = createKillableProcess(order, scratch)
  await riseOrThrow(server)
  return {
    async enrol(socketPath) {
      const { token } = await server.admin('POST', '/admin/gateways', { name: 'kiosk' })
      await command(socketPath, 'POST', '/admin/sync/enroll', { url: server.base, token })
    },
    async told(socketPath, what) {
      const giveUpAt = tick() + TOLD_MS
      for (;;) {
        await command(socketPath, 'POST', '/admin/sync/now', {}).catch(() => {})
        await pause(300)
        const { sync } = (await command(socketPath, 'GET', '/admin/sync').catch(() => ({}))) as {
          sync?: { waiting: number; state: string; last_push_at: string | null }
        }
        const isDone = sync?.state === 'connected' && (what === 'something' || sync.waiting === 0)
        if (isDone && sync.last_push_at !== null) return
        if (tick() > giveUpAt) throw new Error(`the server was not told: ${JSON.stringify(sync)}`)
      }
    },
    stop: server.stop,
  }
}
