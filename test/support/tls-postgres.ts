import { chmodSync, chownSync, mkdtempSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import forge from 'node-forge'
import { authority, type Issued, issue } from './issued-certificates.ts'
import { query } from './postgres.ts'
import { clusterUrl, ownAccount, startCluster, stopCluster } from './postgres-cluster.ts'

/** Debian's OpenSSL takes no shorter key. */
const BITS = 2048

export const tlsAuthority = (name: string) => issue({ name, bits: BITS, extensions: authority() })

/** A PostgreSQL that listens on 127.0.0.1, with TLS and without, and says in `pg_hba.conf` who may come how. */
export async function startTlsPostgres(ca: Issued, hba: readonly string[]) {
  const dir = mkdtempSync(join(tmpdir(), 'fiskd-tls-'))
  const file = (name: string, text: string, mode = 0o600) => {
    const path = join(dir, name)
    writeFileSync(path, text)
    chmodSync(path, mode)
    const account = ownAccount()
    if (account) chownSync(path, account.uid, account.gid)
    return path
  }
  const certificate = (name: string, { der }: Issued) => file(name, pem('CERTIFICATE', der))
  const key = (name: string, { key }: Issued, mode?: number) => file(name, forge.pki.privateKeyToPem(key), mode)

  /** Its certificate from the next connection on. */
  function present(by: Issued, name: string, notAfter?: Date) {
    const names = [{ name: 'subjectAltName', altNames: [{ type: 2, value: name }] }]
    const server = issue({ name, by, bits: BITS, extensions: names, ...(notAfter && { notAfter }) })
    certificate('server.crt', server)
    key('server.key', server)
  }

  present(ca, 'localhost')
  const port = await freePort()
  const settings = {
    ...{ fsync: 'off', listen_addresses: '127.0.0.1', port: String(port), ssl: 'on' },
    ...{ ssl_cert_file: join(dir, 'server.crt'), ssl_key_file: join(dir, 'server.key') },
    ssl_ca_file: certificate('clients.crt', ca),
    hba_file: file('hba', ['local all all trust', ...hba, ''].join('\n')),
  }
  const sql = (text: string) => query(`${clusterUrl(dir, 'postgres')}&port=${port}`, text)
  await startCluster(dir, process.pid, async () => void (await sql('CREATE DATABASE fiskd')), settings)
  return {
    ...{ port, file, certificate, key, sql },
    async present(...server: Parameters<typeof present>) {
      present(...server)
      await sql('SELECT pg_reload_conf()')
    },
    /** Ends what others have opened. */
    cutAll: () => sql(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = 'fiskd'`),
    close: () => stopCluster(dir),
  }
}

const pem = (label: string, der: Buffer) =>
  `-----BEGIN ${label}-----\n${der.toString('base64').replace(/.{1,64}/g, '$&\n')}-----END ${label}-----\n`

function freePort(): Promise<number> {
  const server = createServer()
  return new Promise((resolve) =>
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address() as { port: number }
      server.close(() => resolve(port))
    }),
  )
}
