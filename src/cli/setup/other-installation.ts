import { once } from 'node:events'
import { connect } from 'node:net'
import { dirname, resolve } from 'node:path'
import { shellWord } from '../../domain/shell-word.ts'
import { clash } from '../failure.ts'
import { holdersOf } from '../host/processes.ts'
import { targetOf } from '../host/start-obstacles.ts'
import { procOf } from '../host/system.ts'
import { installationsNear, isInstallation } from '../installations-near.ts'
import { dataDir, isFallback } from '../io.ts'
import { daemonEnvironment } from '../machine/fiskd-program.ts'
import type { Session } from '../session.ts'
import { LOOPBACK_ONLY } from './listen-addresses.ts'

/**
 * Where nobody has named the data directory, a second one is hardly meant: its variable is missing in this terminal.
 * @throws Failure naming what would be made, what is there, and how either is meant
 */
export async function requireNoOther({ io, socketPath }: Session): Promise<void> {
  const env = daemonEnvironment(io.env)
  const folder = resolve(dataDir(env))
  if (!isFallback(socketPath(), env) || isInstallation(folder)) return
  const near = installationsNear()
  const address = near.length > 0 ? null : await answering(env.FISKD_LISTEN || LOOPBACK_ONLY)
  if (near.length === 0 && address === null) return
  const [meant = 'FOLDER'] = address === null ? near : foldersInUse(procOf(io))
  throw clash(
    'new',
    address === null
      ? `fisk init would make another installation, in ${folder}, beside the data in ${near.join(', ')}.`
      : `fisk init would make another installation, in ${folder}, beside what answers on ${address}.`,
    `If that one is meant, name its folder: export FISKD_DATA_DIR=${shellWord(meant)}; else: fisk init --new`,
  )
}

/** The data directories of the daemons whose files this account may see. */
function foldersInUse(proc: string): string[] {
  const locks = new Set<string>()
  holdersOf(proc, (link) => targetOf(link).endsWith('/fiskd.lock') && Boolean(locks.add(targetOf(link))))
  return [...locks].map(dirname)
}

/** An address of those where a new one would listen, and something answers; null for none. */
async function answering(listen: string): Promise<string | null> {
  for (const address of listen.split(',')) {
    const [, host = '', port] = /^\[?(.*?)\]?:(\d+)$/.exec(address.trim()) ?? []
    const socket = connect({ host: /^(0\.0\.0\.0|::)$/.test(host) ? 'localhost' : host, port: Number(port) || 1 })
    const isThere = await once(socket, 'connect').then(
      () => true,
      () => false,
    )
    socket.destroy()
    if (isThere) return address
  }
  return null
}
