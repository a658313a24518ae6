import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Misbehaviour, type Simulator, startSimulator } from '../../src/simulator/index.ts'
import { messageTime } from '../../src/simulator/zagreb.ts'
import { certificateOf, OIBS, pki } from '../support/pki.ts'
import { signedRequest } from '../support/signed-request.ts'
import { post } from '../support/simulator.ts'

// A tool nobody here wrote. Where it is missing the tests are skipped, unless the tools are required.
const required = process.env.FISKD_REQUIRE_TOOLS === '1'
const missing = !required && spawnSync('xmlsec1', ['--version']).error !== undefined

let directory: string
let simulator: Simulator
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'fiskd-xmlsec-'))
  simulator = await startSimulator({ pki })
})
afterAll(async () => {
  await simulator.close()
  await rm(directory, { recursive: true })
})

function verifies(xml: string, element: 'RacunOdgovor' | 'RacunZahtjev'): boolean {
  const write = (name: string, text: string) => {
    writeFileSync(join(directory, name), text)
    return join(directory, name)
  }
  const [root = '', issuing = ''] = pki.bundlePem.split(/(?<=-----END CERTIFICATE-----\n)/)
  const trusted = ['--trusted-pem', write('root.pem', root), '--trusted-pem', write('issuing.pem', issuing)]
  const id = '--id-attr:Id'
  const name = `http://www.apis-it.hr/fin/2012/types/f73:${element}`
  const { status, error } = spawnSync('xmlsec1', ['--verify', ...trusted, id, name, write('message.xml', xml)])
  if (error !== undefined) throw error
  return status === 0
}

async function answerUnder(behaviour: Misbehaviour | null): Promise<string> {
  if (behaviour !== null) simulator.misbehave(behaviour)
  return (await post(simulator, await saleXml())).body
}

async function saleXml(): Promise<string> {
  return signedRequest({ oib: OIBS[0], sentAt: messageTime(Date.now()) }, await certificateOf(OIBS[0]))
}

test.skipIf(missing)('xmlsec1 verifies the signed answers, JIR and error alike', async () => {
  expect(verifies(await answerUnder(null), 'RacunOdgovor')).toBe(true)
  expect(verifies(await answerUnder({ error: 's005', message: 'OIB "čšž" & <ostalo>' }), 'RacunOdgovor')).toBe(true)
})

test.skipIf(missing)(
  'xmlsec1 refuses what was tampered with, or signed under a foreign or an expired certificate',
  async () => {
    for (const behaviour of ['tampered', 'wrong-signer-ca', 'expired-signer'] as const) {
      expect(verifies(await answerUnder(behaviour), 'RacunOdgovor'), behaviour).toBe(false)
    }
  },
)

test.skipIf(missing)('the requests these tests make by hand are right for xmlsec1 too', async () => {
  expect(verifies(await saleXml(), 'RacunZahtjev')).toBe(true)
})
