import { once } from 'node:events'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { signingKeys } from '../package/repository/keys.ts'
import { publish } from '../package/repository/publish.ts'
import { run } from '../package/run.ts'

/** A repository that `npm run package -- --repository` would make, on loopback of this process. */
export interface Archive {
  /** Adds packages, signed by the key of the archive or by a stranger's. */
  publish(debs: readonly string[], by?: 'archive' | 'stranger'): void
  /** Changes what is signed. @throws Error when there is nothing like it */
  change(old: string, now: string): void
  /** A file that machines fetch. */
  read(path: 'fiskd.sources' | 'fiskd-archive-keyring.gpg'): Buffer
  close(): Promise<void>
}

/**
 * @param scratch a folder for it and for its keys, which are GNUPGHOME from now on
 * @param host as which machines reach loopback of this process
 */
export async function startArchive(scratch: string, host: string): Promise<Archive> {
  const repository = join(scratch, 'repository')
  const keys = join(scratch, 'keys')
  mkdirSync(keys, { mode: 0o700 })
  process.env.GNUPGHOME = keys
  for (const name of ['archive', 'stranger']) {
    const key = ['--quick-generate-key', `${name} <${name}@example.com>`, 'ed25519', 'sign', 'never']
    run('gpg', ['--batch', '--quiet', '--passphrase', '', ...key])
  }
  const server = createServer(({ url = '' }, answer) => {
    try {
      answer.end(readFileSync(join(repository, decodeURIComponent(url))))
    } catch {
      answer.writeHead(404).end()
    }
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = `http://${host}:${(server.address() as AddressInfo).port}`
  const signed = join(repository, 'dists/stable/InRelease')
  return {
    publish: (debs, by = 'archive') => publish(repository, { debs, keys: signingKeys(by), url }),
    change(old, now) {
      const before = readFileSync(signed, 'utf8')
      if (!before.includes(old)) throw new Error(`${old} is not signed`)
      writeFileSync(signed, before.replace(old, now))
    },
    read: (path) => readFileSync(join(repository, path)),
    async close() {
      run('gpgconf', ['--kill', 'all'])
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
