import { once } from 'node:events'
import { lstat, rm } from 'node:fs/promises'
import { connect } from 'node:net'
import { succeeds } from '../../domain/attempt.ts'

/** The longest path of a unix socket on Linux, without the NUL at its end. */
export const MAX_SOCKET_PATH_BYTES = 107

/** Removes a socket that a crash left behind, and nothing else. @throws Error for another file or program */
export async function claimSocketPath(path: string): Promise<void> {
  const found = await lstat(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined
    throw new Error(`the admin socket ${path} cannot be made: ${error.code}`, { cause: error })
  })
  if (!found) return
  if (!found.isSocket()) throw new Error(`${path} is a file, not a socket: name another place with FISKD_SOCKET`)
  if (await answers(path)) throw new Error(`another program answers on ${path}: name another place with FISKD_SOCKET`)
  await rm(path)
}

async function answers(path: string): Promise<boolean> {
  const socket = connect(path)
  return succeeds(once(socket, 'connect')).finally(() => socket.destroy())
}
