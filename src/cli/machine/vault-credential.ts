import { chmodSync, chownSync, existsSync, mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { broken } from '../failure.ts'
import { type Io, systemPaths } from '../io.ts'
import { runProgram } from './run-program.ts'
import { undoneBySignals } from './signals.ts'

export interface Account {
  uid: number
  gid: number
}

const NAME = 'fiskd-vault-key'

/**
 * Lets `work` use the vault key of the service, where systemd keeps it sealed: unsealed into a directory in memory that
 * only root and the group of `owner` may enter, as a file that only `owner` may read, and removed however the work ends, by the usual signals too.
 * @param work gets what systemd calls `$CREDENTIALS_DIRECTORY`; undefined where no key is sealed
 * @throws Failure when it cannot be unsealed
 */
export async function withVaultKey<T>(
  io: Pick<Io, 'env' | 'paths'>,
  owner: Account | null,
  work: (credentials: string | undefined) => Promise<T>,
): Promise<T> {
  const { sealedVaultKey, run } = systemPaths(io)
  if (!existsSync(sealedVaultKey)) return work(undefined)
  const directory = mkdtempSync(join(run, 'fiskd-key-'))
  const remove = () => rmSync(directory, { recursive: true, force: true })
  try {
    return await undoneBySignals(remove, async () => {
      const file = join(directory, NAME)
      const { code, stderr } = await runProgram(
        'systemd-creds',
        ['decrypt', `--name=${NAME}`, sealedVaultKey, file],
        io,
      )
      if (code !== 0) throw sealed(sealedVaultKey, stderr)
      chmodSync(file, 0o400)
      if (owner) {
        chownSync(file, owner.uid, owner.gid)
        // The directory stays root's, which removes it: in one of its own the owner could put a link in the way.
        chmodSync(directory, 0o750)
        chownSync(directory, 0, owner.gid)
      }
      return await work(directory)
    })
  } finally {
    remove()
  }
}

function sealed(path: string, stderr: string) {
  return broken(
    'internal_error',
    `The vault key in ${path} cannot be unsealed: ${stderr.trim().split('\n').at(-1)}`,
    'Only root can do it, and only on the machine that sealed it.',
  )
}
