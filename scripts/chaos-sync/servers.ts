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
  /** What each of them is told, such as the address of its database; at each start, what it says then. */
  envOf: (i: number) => Record<string, string>
  nameOf?: (i: number) => string
  chance: Chance
}

/** Starts a central server of several processes. One makes what all of them must have alike: the vault key and the CA. */
export async function startServers(
  { processes, dist, authority, envOf, nameOf = (i) => `server-${i + 1}`, chance }: ServersOrder,
  scratch: Scratch,
): Promise<[KillableProcess, ...KillableProcess[]]> {
  const make = async (i: number) => {
    const order = { name: nameOf(i), port: await freePort(chance), dist, authority }
    return createKillableProcess({ ...order, env: Object.assign(envOf(i), { FISKD_ROLE: 'server' }) }, scratch)
  }
  const first = await make(0)
  await riseOrThrow(first)
  const others: KillableProcess[] = []
  for (let i = 1; i < processes; i++) {
    const other = await make(i)
    copyKeys(first.dataDir, other.dataDir)
    await riseOrThrow(other)
    others.push(other)
  }
  return [first, ...others]
}

export const portsOf = ([first, ...others]: readonly [KillableProcess, ...KillableProcess[]]): [
  number,
  ...number[],
] => {
  const portOf = ({ base }: KillableProcess) => Number(new URL(base).port)
  return [portOf(first), ...others.map(portOf)]
}

/** What all processes on a database have alike. */
export function copyKeys(from: string, to: string): void {
  mkdirSync(join(to, 'tls'), { recursive: true })
  for (const part of ['vault.key', 'tls/ca.pem', 'tls/ca.key']) {
    cpSync(join(from, part), join(to, part), { preserveTimestamps: true })
  }
}

/** @throws Error with the last that it said */
export async function riseOrThrow(server: KillableProcess): Promise<void> {
  if (!(await server.rise())) throw new Error(`${server.name} did not start:\n${server.ownEnds.at(-1)?.lastWords}`)
}
