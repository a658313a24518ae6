import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Readable, Writable } from 'node:stream'

/** What a command touches of the outer world; tests bring their own. */
export interface Io {
  stdin: Readable
  stdout: Writable
  stderr: Writable
  /** Input and output are a terminal: `fisk` may ask questions. */
  isTty: boolean
  env: Record<string, string | undefined>
  /** Ends a repeating command, as Ctrl-C does. */
  until?: AbortSignal
  /** The program that `fisk init` runs with `--prepare`; the `fiskd` beside this `fisk` when left out. */
  fiskd?: string
  /** Paths of the operating system; `SYSTEM_PATHS` for those that are left out. */
  paths?: Partial<SystemPaths>
  /** The addresses and names of the network interfaces; by default those that the operating system lists. */
  lanAddresses?: { address: string; name: string }[]
}

const SYSTEM_PATHS = {
  /** There while systemd runs this machine (sd_booted(3)). */
  systemd: '/run/systemd/system',
  /** The vault key as systemd-creds(1) has sealed it, where it is. */
  sealedVaultKey: '/etc/credstore.encrypted/fiskd-vault-key',
  /** In memory, gone with the power. */
  run: '/run',
  /** Where the kernel describes processes, and the machine. */
  proc: '/proc',
  sys: '/sys',
  fstab: '/etc/fstab',
}

export type SystemPaths = typeof SYSTEM_PATHS

export function systemPaths(io: Pick<Io, 'paths'>): SystemPaths {
  return { ...SYSTEM_PATHS, ...io.paths }
}

export const INSTALLED_SOCKET = '/run/fiskd/fiskd.sock'
const INSTALLED_DATA_DIR = '/var/lib/fiskd'

const FALLBACK = 'data'

/** Where the data is: as the daemon finds it. */
export function dataDir(env: Io['env']): string {
  return env.FISKD_DATA_DIR || (existsSync(INSTALLED_DATA_DIR) ? INSTALLED_DATA_DIR : FALLBACK)
}

/** Whether neither an option nor a variable nor the package says where the data is: then it is `./data`. */
export const isFallback = (socket: string, env: Io['env']) =>
  !env.FISKD_DATA_DIR && socket === join(FALLBACK, 'fiskd.sock')

/** Where the admin socket is: the option, `FISKD_SOCKET`, the data directory, the installed place, `./data`. */
export function socketPath(option: string | undefined, env: Io['env']): string {
  if (option) return option
  if (env.FISKD_SOCKET) return env.FISKD_SOCKET
  if (env.FISKD_DATA_DIR) return join(env.FISKD_DATA_DIR, 'fiskd.sock')
  const installed = existsSync(INSTALLED_SOCKET) || existsSync(INSTALLED_DATA_DIR)
  return installed ? INSTALLED_SOCKET : join(FALLBACK, 'fiskd.sock')
}
