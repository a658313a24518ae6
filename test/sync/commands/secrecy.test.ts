import { createPrivateKey } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { commandsOf, enrol, KIOSK } from '../../support/commanded.ts'
import { runDaemon } from '../../support/daemon-process.ts'
import { startEmptyGateway, startGateway } from '../../support/gateway.ts'
import { OIBS, pki } from '../../support/pki.ts'

const PASSPHRASE = 'vrlo-tajna-lozinka-4711'

/** Every file below a folder, the database and its log among them. */
async function bytesBelow(dir: string): Promise<Buffer> {
  const names = (await readdir(dir, { recursive: true, withFileTypes: true })).filter((entry) => entry.isFile())
  return Buffer.concat(await Promise.all(names.map(({ parentPath, name }) => readFile(join(parentPath, name)))))
}

test('a certificate that is sent stands nowhere at the server in clear: not in its database, not in its log', async () => {
  const server = await startEmptyGateway({ FISKD_ROLE: 'server' })
  const env = { FISKD_ROLE: 'server', FISKD_LOG_LEVEL: 'trace' }
  const process = await runDaemon(server, onTestFinished, { env })
  const kiosk = await startGateway()
  await enrol(server, kiosk, process.url)

  const { p12, keyPem } = await pki.issueCompany({ oib: OIBS[0], passphrase: PASSPHRASE })
  const form = new FormData()
  form.set('company_id', kiosk.companyId)
  form.set('file', new Blob([new Uint8Array(p12)]), 'certificate.p12')
  form.set('passphrase', PASSPHRASE)
  const sent = await server.admin<{ id: string }>(`/admin/gateways/${KIOSK}/certificates`, { body: form })
  const wrong = form
  wrong.set('passphrase', `${PASSPHRASE}-wrong`)
  expect((await server.admin(`/admin/gateways/${KIOSK}/certificates`, { body: wrong })).status).toBe(400)
  expect(await commandsOf(server).answered(sent.body.id)).toMatchObject({ status: 'done' })

  const kept = Buffer.concat([await bytesBelow(server.dataDir), Buffer.from(process.log.join('\n'))])
  expect(kept.includes(sent.body.id)).toBe(true)
  expect(kept.includes('certificate.add')).toBe(true)
  const encoded = p12.toString('base64')
  const secrets = [
    PASSPHRASE,
    Buffer.from(PASSPHRASE, 'utf16le').swap16(),
    p12.subarray(300, 332),
    p12.subarray(-400, -368),
    encoded.slice(400, 440),
    createPrivateKey(keyPem).export({ format: 'der', type: 'pkcs8' }).subarray(200, 232),
    keyPem.split('\n')[5] ?? '',
    p12.toString('base64url').slice(400, 440),
    p12.toString('hex').slice(800, 840),
  ]
  for (const secret of secrets) expect(kept.includes(secret), String(secret)).toBe(false)
  expect((await bytesBelow(kiosk.dataDir)).includes(PASSPHRASE)).toBe(false)
}, 60_000)
