import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Readable, Writable } from 'node:stream'

/** What a command touches of the outer world; tests bring their own. */
export interface Io {
  stdin: Readable
  stdout: Writable
  stderr: Writable
  /** Somebody sits at both ends: questions may be asked and colours shown. */
  isTty: boolean
  env: Record<string, string | undefined>
  /** The program that `fisk init` runs with `--prepare`; the `fiskd` beside this `fisk` when left out. */
  fiskd?: string
}

const INSTALLED_SOCKET = '/run/fiskd/fiskd.sock'

/** Where the admin socket is: the option, `FISKD_SOCKET`, the data directory, the installed place, `./data`. */
export function socketPath(option: string | undefined, env: Io['env']): string {
  if (option) return option
  if (env.FISKD_SOCKET) return env.FISKD_SOCKET
  if (env.FISKD_DATA_DIR) return join(env.FISKD_DATA_DIR, 'fiskd.sock')
  return existsSync(INSTALLED_SOCKET) ? INSTALLED_SOCKET : join('data', 'fiskd.sock')
}

/** Colours only on a terminal, and not for those who set `NO_COLOR`. */
export function wantsColour(io: Io): boolean {
  return io.isTty && !io.env.NO_COLOR
}
