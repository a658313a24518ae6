import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { trustChecks } from '../../../src/fiscal/doctor/trust-checks.ts'
import { DAY_MS, issueCertificate, NAME } from '../../../src/simulator/x509.ts'
import { diagnose, inEnglish } from '../../support/diagnosis.ts'
import type { Gateway } from '../../support/gateway.ts'
import { broken, sharedHealthyGateway, verdicts } from '../../support/healthy.ts'
import { pki } from '../../support/pki.ts'
import { listPem, makeList } from '../../support/revocation-lists.ts'

let gateway: Gateway
let path: string
beforeAll(async () => {
  gateway = await sharedHealthyGateway()
  path = join(gateway.dataDir, 'trust/test.pem')
})

const mend = () => writeFileSync(path, pki.bundlePem)

/** The gateway as it is after a start with this bundle. */
async function startedWith(pem: string): Promise<void> {
  await gateway.stop()
  writeFileSync(path, pem)
  await gateway.restart()
}
const withBundle = (pem: string) =>
  broken(
    gateway,
    () => startedWith(pem),
    () => startedWith(pki.bundlePem),
  )

const authority = (notBefore: Date, notAfter: Date) =>
  issueCertificate({
    ...{ use: 'root', subject: [{ type: NAME.commonName, value: 'Old CA' }], issuer: null, notBefore, notAfter },
  })

test('trust test: a bundle that was lost from the disk is found while the daemon still has it', async () => {
  const found = await broken(gateway, () => rmSync(path), mend)
  expect(verdicts(found)).toEqual(['trust test fail'])
  expect(found[0]).toMatchObject({
    detail: `${path} does not hold what is in force`,
    fix: expect.stringContaining('fisk trust fetch --mode test'),
  })
})

test('trust test: a lost bundle is on the disk again once the same certificates are added', async () => {
  rmSync(path)
  const body = { mode: 'test', certificates: Buffer.from(pki.bundlePem).toString('base64') }
  expect((await gateway.admin('/admin/trust', { body })).status).toBe(200)
  expect((await diagnose(gateway)).find(({ name }) => name === 'trust test')?.status).toBe('ok')
})

test('trust test: a file that the next start could not use is found', async () => {
  const found = await broken(gateway, () => writeFileSync(path, pki.bundlePem.slice(0, 300)), mend)
  expect(verdicts(found)).toEqual(['trust test fail'])
  expect(found[0]?.detail).toContain('a block in it is not complete')
})

test('trust test: without a bundle nothing that needs one was looked at', async () => {
  const found = await withBundle('')
  expect(verdicts(found)).toEqual([
    ...['trust test fail', 'CIS test TLS skip', 'CIS test echo skip', 'CIS test signature skip', 'CIS test clock skip'],
    'chain Samoposluga d.o.o. skip',
  ])
  expect(found[0]).toMatchObject({
    detail: 'the CA certificates of the test service are not installed',
    fix: expect.stringContaining('fisk trust fetch --mode test'),
  })
})

test.each([
  ['has ended', -1, 'Old CA ended'],
  ['ends within 60 days', 59, 'Old CA ends'],
])('trust test: a certificate that %s is a warning', async (_when, days, says) => {
  const old = await authority(new Date('2020-01-01'), new Date(Date.now() + days * DAY_MS))
  const found = await withBundle(pki.bundlePem + old.certPem)
  expect(verdicts(found)).toEqual(['trust test warn'])
  expect(found[0]).toMatchObject({
    detail: expect.stringContaining(says),
    fix: 'add the certificate that replaces it: fisk trust add --mode test FILE',
  })
})

test('trust test: for the own address of CIS, a bundle of strangers is a warning that names who is missing', async () => {
  const stranger = { subject: 'CN=Stranger', fingerprint: 'AA', notAfter: Date.now() + 400 * DAY_MS }
  const known = { name: 'Fina Demo Root CA', fingerprint: 'A0628E' }
  const examine = async (...list: (typeof stranger)[]) => {
    const trust = { list: () => list, revocationLists: () => [], fileProblem: () => null, known: () => [known] }
    const store = { companies: { activeModes: async () => [] } } as never
    const [examination] = trustChecks({ store, trust, clock: { now: Date.now }, deploymentMode: 'test' })
    return inEnglish((await examination?.run()) ?? [])[0]
  }
  expect(await examine(stranger)).toMatchObject({
    status: 'warn',
    detail: expect.stringContaining('Fina Demo Root CA'),
  })
  expect(await examine(stranger, { ...stranger, fingerprint: 'A0628E' })).toMatchObject({ status: 'ok' })
})

test('revocations test: a list that should have been renewed is a warning', async () => {
  const by = pki.toJSON().issuing
  const nextUpdate = new Date(Date.now() - 60_000)
  const found = await withBundle(pki.bundlePem + listPem(makeList({ by, nextUpdate })))
  expect(verdicts(found)).toEqual(['revocations test warn'])
  expect(found[0]).toMatchObject({
    detail: expect.stringContaining('the list of CN=Simulator CA 2020,O=Simulator CIS,C=HR was to be renewed'),
    fix: 'bring the new list: fisk trust add --mode test FILE',
  })
})
