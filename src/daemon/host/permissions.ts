import type { Stats } from 'node:fs'
import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { type Check, failure, fine } from '../../domain/check.ts'
import type { HealthCheck } from '../../fiscal/doctor/doctor.ts'
import { nodeOwner } from '../../receipts/lines/device-node-owner.ts'
import type { Config } from '../config.ts'
import { tlsDir } from '../http/server-tls.ts'

interface Rule {
  path: string
  /** The bits of the mode that must not be set. */
  closed: number
  /** The mode that mends it. */
  mode: string
  /** It must belong to the user that this process runs as. */
  ours: boolean
}

interface Wrong {
  problem: string
  fix: string
}

/** What others must not do; the group of the data directory may look into it. */
const OTHERS = 0o007
const OTHERS_AND_GROUP_WRITE = 0o027
const WRITERS = 0o022
const ALL_BUT_OWNER = 0o077

const SHOWN = 3

/**
 * Whether the data directory, the secrets in it and the admin socket are this user's and closed to all others. What
 * lies in the data directory is behind its door: only that nobody else writes it is asked of each file.
 */
export function permissionChecks(config: Config): HealthCheck[] {
  return [{ name: 'permissions', run: async () => [await permissionsCheck(config)] }]
}

async function permissionsCheck(config: Config): Promise<Check> {
  const name = 'permissions'
  const wrong: Wrong[] = []
  for (const rule of await rulesOf(config)) wrong.push(...(await brokenRule(rule)))
  if (wrong.length === 0) return fine(name, 'data, keys and socket are closed to other users')
  const rest = wrong.length > SHOWN ? `; and ${wrong.length - SHOWN} more` : ''
  const shown = wrong.slice(0, SHOWN)
  const problems = shown.map(({ problem }) => problem).join('; ')
  return failure(name, problems + rest, `sudo ${shown.map(({ fix }) => fix).join(' && sudo ')}`)
}

async function rulesOf({ dataDir, tls, socketPath }: Config): Promise<Rule[]> {
  const keys = new Set(['vault.key', 'ca.key', 'server.key'])
  const folders = [tlsDir(dataDir), join(dataDir, 'trust')]
  const rules: Rule[] = [{ path: dataDir, closed: OTHERS_AND_GROUP_WRITE, mode: '750', ours: true }]
  for (const folder of [dataDir, ...folders]) {
    for (const entry of await readdir(folder, { withFileTypes: true }).catch(() => [])) {
      const path = join(folder, entry.name)
      // A disk of its own has it from the beginning.
      if (path === socketPath || entry.name === 'lost+found') continue
      if (entry.isDirectory()) rules.push({ path, closed: WRITERS, mode: 'go-w', ours: true })
      else if (keys.has(entry.name)) rules.push({ path, closed: ALL_BUT_OWNER, mode: '600', ours: true })
      else if (entry.isFile()) rules.push({ path, closed: WRITERS, mode: 'go-w', ours: true })
    }
  }
  if (tls) rules.push({ path: tls.keyPath, closed: OTHERS, mode: 'o-rwx', ours: false })
  return [...rules, { path: socketPath, closed: OTHERS, mode: '660', ours: true }]
}

async function brokenRule({ path, closed, mode, ours }: Rule): Promise<Wrong[]> {
  const found = await stat(path).catch(() => undefined)
  if (found === undefined) return []
  const wrong: Wrong[] = []
  if (ours && found.uid !== process.geteuid?.()) wrong.push(await strange(path, found))
  if ((found.mode & closed) !== 0) {
    const who = (found.mode & closed & OTHERS) !== 0 ? 'other users' : 'its group'
    const octal = (found.mode & 0o777).toString(8).padStart(4, '0')
    wrong.push({ problem: `${path} is open to ${who} (mode ${octal})`, fix: `chmod ${mode} ${path}` })
  }
  return wrong
}

async function strange(path: string, found: Stats): Promise<Wrong> {
  const { owner, user } = await nodeOwner(found)
  return { problem: `${path} belongs to user ${owner}, not to ${user}`, fix: `chown ${user}: ${path}` }
}
