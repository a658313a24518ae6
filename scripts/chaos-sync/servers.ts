import { cpSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Authority } from '../chaos/authority.ts'
import type { Chance } from '../chaos/chance.ts'
import { freePort } from '../chaos/ports.ts'
import type { Scratch } from '../chaos/scratch.ts'
import { createKillableProcess, type KillableProcess } from './machine.ts'

export interface ServersOrder {
  processes: number
  dist: string
  authority: Pick<Authority, 'facts'>
  /** What all of them are told, such as the address of their database. */
  env: Record<string, string>
  chance: Chance
  /** The name of each begins with it. */
  name?: string
}

/** Starts a central server of several processes. One makes what all of them must have alike: the vault key and the CA. */
export async function startServers(
  { processes, dist, authority, env, chance, name = 'server' }: ServersOrder,
  scratch: Scratch,
): Promise<[KillableProcess, ...KillableProcess[]]> {
  const make = async (i: number) => {
    const order = { name: `${name}-${i + 1}`, port: await freePort(chance), dist, authority }
    return createKillableProcess({ ...order, env: { FISKD_ROLE: 'server', ...env } }, scratch)
  }
  const first = await make(0)
  await riseOrThrow(first)
  const others: KillableProcess[] = []
  for (let i = 1; i < processes; i++) {
    const other = await make(i)
    mkdirSync(join(other.dataDir, 'tls'))
    for (const part of ['vault.key', 'tls/ca.pem', 'tls/ca.key']) {
      cpSync(join(first.dataDir, part), join(other.dataDir, part), { preserveTimestamps: true })
    }
    await riseOrThrow(other)
    others.push(other)
  }
  return [first, ...others]
}

/** @throws Error with the last that it said */
export async function riseOrThrow(server: KillableProcess): Promise<void> {
  if (!(await server.rise())) throw new Error(`${server.name} did not start:\n${server.ownEnds.at(-1)?.lastWords}`)
}
