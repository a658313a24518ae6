import { once } from 'node:events'
import { connect } from 'node:net'
import { dirname, resolve } from 'node:path'
import { succeeds } from '../../domain/attempt.ts'
import { shellWord } from '../../domain/shell-word.ts'
import { clash } from '../failure.ts'
import { holdersOf } from '../host/processes.ts'
import { holdersOfAddress, targetOf } from '../host/start-obstacles.ts'
import { procOf } from '../host/system.ts'
import { installationsNear, isInstallation } from '../installations-near.ts'
import { dataDir, isFallback } from '../io.ts'
import { daemonEnvironment } from '../machine/fiskd-program.ts'
import type { Session } from '../session.ts'
import { LOOPBACK_ONLY } from './listen-addresses.ts'

/** A second data directory that nobody names is hardly meant. @throws Failure naming what is there, and either way */
export async function requireNoOther({ io, socketPath }: Session): Promise<void> {
  const env = daemonEnvironment(io.env)
  const folder = resolve(dataDir(env))
  if (!isFallback(socketPath(), env) || isInstallation(folder)) return
  const near = installationsNear()
  const address = near.length > 0 ? null : await answering(env.FISKD_LISTEN || LOOPBACK_ONLY)
  if (near.length === 0 && address === null) return
  const [meant = 'FOLDER'] = address === null ? near : foldersOf(procOf(io), address)
  throw clash(
    'new',
    address === null
      ? `fisk init would make another installation, in ${folder}, beside the data in ${near.join(', ')}.`
      : `fisk init would make another installation, in ${folder}, beside what answers on ${address}.`,
    `If that one is meant, name its folder: export FISKD_DATA_DIR=${shellWord(meant)}; else: fisk init --new`,
  )
}

const ADDRESS = /^\[?(.*?)\]?:(\d+)$/

/** The data directory of the daemon that listens on an address, where this account may see its files. */
function foldersOf(proc: string, address: string): string[] {
  const [, host = '', port] = ADDRESS.exec(address) ?? []
  const pids = new Set(holdersOfAddress(proc, host, Number(port))?.holders.map(({ pid }) => pid))
  const locks: string[] = []
  holdersOf(proc, (link) => {
    const isLock = pids.has(link.split('/').at(-3) ?? '') && targetOf(link).endsWith('/fiskd.lock')
    if (isLock) locks.push(dirname(targetOf(link)))
    return isLock
  })
  return locks
}

/** An address of those where a new one would listen, and something answers; null for none. */
async function answering(listen: string): Promise<string | null> {
  for (const address of listen.split(',').map((one) => one.trim())) {
    const [, host = '', port] = ADDRESS.exec(address) ?? []
    const socket = connect({ host: /^(0\.0\.0\.0|::)$/.test(host) ? 'localhost' : host, port: Number(port) || 1 })
    const isThere = await succeeds(once(socket, 'connect'))
    socket.destroy()
    if (isThere) return address
  }
  return null
}
