import { X509Certificate } from 'node:crypto'
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { createTrustBundles } from '../../../src/cis/trust/trust-bundles.ts'
import type { SaidCheck } from '../../../src/domain/check.ts'
import { trustChecks } from '../../../src/fiscal/doctor/trust-checks.ts'
import { DAY_MS, issueCertificate, NAME } from '../../../src/simulator/x509.ts'
import { diagnose, examine, troubles } from '../../support/diagnosis.ts'
import type { Gateway } from '../../support/gateway.ts'
import { broken, sharedHealthyGateway, verdicts } from '../../support/healthy.ts'
import { pki } from '../../support/pki.ts'
import { listPem, makeList } from '../../support/revocation-lists.ts'
import { tempDir } from '../../support/temp-dir.ts'
import { trustPathsIn } from '../../support/trust-paths.ts'

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

const NO_COMPANY = { companies: { activeModes: async () => [] } } as never

/** What is found of a bundle alone: as it was read, and as its file is once it has been changed. */
async function withBundle(pem: string, later = pem): Promise<SaidCheck[]> {
  const dir = await tempDir()
  const file = join(dir, 'test.pem')
  writeFileSync(file, pem)
  const trust = { ...createTrustBundles(trustPathsIn(dir)), known: () => [] }
  writeFileSync(file, later)
  const checks = trustChecks({ store: NO_COMPANY, trust, clock: { now: Date.now }, deploymentMode: 'test' })
  return troubles(await examine(checks))
}

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

test('uploads test: additions that were lost are on the disk again once the same certificates are added', async () => {
  const { certPem } = await authority(new Date('2020-01-01'), new Date(Date.now() + 90 * DAY_MS))
  const body = { mode: 'test', for: 'uploads', certificates: Buffer.from(certPem).toString('base64') }
  const add = async () => expect((await gateway.admin('/admin/trust', { body })).status).toBe(200)
  await add()
  const added = trustPathsIn(join(gateway.dataDir, 'trust')).test.uploads
  const check = async () => (await diagnose(gateway)).find(({ name }) => name === 'uploads test')
  expect(await check()).toMatchObject({ status: 'ok', detail: expect.stringContaining('1 CA certificates') })
  rmSync(added)
  expect(await check()).toMatchObject({
    status: 'fail',
    detail: `${added} does not hold what is in force`,
    fix: 'write it again: fisk trust add --mode test --for uploads FILE',
  })
  await add()
  expect((await check())?.status).toBe('ok')
  const { fingerprint256: fingerprint } = new X509Certificate(certPem)
  const gone = await gateway.admin('/admin/trust/remove', { body: { mode: 'test', for: 'uploads', fingerprint } })
  expect(gone.status).toBe(200)
  expect((await check())?.detail).toBe('the base alone: nothing was added')
})

test('uploads test: an issuer that was added and has ended is a warning that says how it goes', async () => {
  const dir = await tempDir()
  const paths = trustPathsIn(dir)
  const { certPem } = await authority(new Date('2020-01-01'), new Date('2025-01-01'))
  writeFileSync(paths.test.base, pki.bundlePem)
  writeFileSync(paths.test.uploads, certPem)
  const trust = { ...createTrustBundles(paths), known: () => [] }
  const found = troubles(
    await examine(trustChecks({ store: NO_COMPANY, trust, clock: { now: Date.now }, deploymentMode: 'test' })),
  )
  expect(verdicts(found)).toEqual(['uploads test warn'])
  expect(found[0]).toMatchObject({
    detail: expect.stringContaining('Old CA ended 2025-01-01'),
    fix: expect.stringMatching(/; then fisk trust remove --mode test --for uploads [0-9A-F]{16}$/),
  })
})

test('trust test: a file that the next start could not use is found', async () => {
  const found = await withBundle(pki.bundlePem, pki.bundlePem.slice(0, 300))
  expect(verdicts(found)).toEqual(['trust test fail'])
  expect(found[0]?.detail).toContain('a block in it is not complete')
})

test('trust test: without a bundle nothing that needs one was looked at', async () => {
  const found = await broken(
    gateway,
    () => startedWith(''),
    () => startedWith(pki.bundlePem),
  )
  expect(verdicts(found)).toEqual([
    ...[
      'trust test fail',
      'uploads test fail',
      'CIS test TLS skip',
      'CIS test echo skip',
      'CIS test signature skip',
      'CIS test clock skip',
    ],
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
    fix: expect.stringMatching(
      days < 0
        ? /^add the certificate that replaces it: fisk trust add --mode test --for service FILE; then fisk trust remove --mode test --for service [0-9A-F]{16}$/
        : /^add the certificate that replaces it: fisk trust add --mode test --for service FILE$/,
    ),
  })
})

test('trust test: in a base that the operator keeps, all that is to be done is told with its path', async () => {
  const { certPem } = await authority(new Date('2020-01-01'), new Date('2025-01-01'))
  const paths = trustPathsIn(await tempDir())
  const look = async () => {
    const trust = { ...createTrustBundles(paths, Date.now, { test: true, live: false }), known: () => [] }
    const checks = trustChecks({ store: NO_COMPANY, trust, clock: { now: Date.now }, deploymentMode: 'test' })
    return (await examine(checks)).find(({ name }) => name === 'trust test')
  }
  const put = `put the CA certificates into ${paths.test.base}`
  expect(await look()).toMatchObject({
    status: 'fail',
    fix: `${put}, or from a file: fisk trust add --mode test --for service FILE`,
  })
  writeFileSync(paths.test.base, certPem.slice(0, 200))
  expect(await look()).toMatchObject({ status: 'fail', fix: `write it again: ${put}` })
  writeFileSync(paths.test.base, pki.bundlePem + certPem)
  expect(await look()).toMatchObject({
    status: 'warn',
    fix: `add the certificate that replaces it: fisk trust add --mode test --for service FILE; then take it out of ${paths.test.base}`,
  })
})

test('trust test: what an earlier version added to the base is told, and counts for uploads alone by the command that is told', async () => {
  const paths = trustPathsIn(await tempDir())
  const { certPem } = await authority(new Date('2020-01-01'), new Date(Date.now() + 400 * DAY_MS))
  writeFileSync(paths.test.base, pki.bundlePem + certPem)
  const bundles = createTrustBundles(paths)
  const known = pki.bundleDer.map((der) => {
    return { name: 'Simulator', fingerprint: new X509Certificate(der).fingerprint256.replaceAll(':', '') }
  })
  const look = async (trust: typeof bundles) => {
    const deps = { store: NO_COMPANY, clock: { now: Date.now }, deploymentMode: 'test' } as const
    return (await examine(trustChecks({ ...deps, trust: { ...trust, known: () => known } })))[0]
  }
  const found = await look(bundles)
  expect(found).toMatchObject({
    status: 'warn',
    detail: expect.stringContaining('CN=Old CA is not known as a CA of CIS'),
  })
  const [, fingerprint = ''] = /fisk trust remove --mode test --for service ([0-9A-F]+)/.exec(String(found?.fix)) ?? []
  bundles.remove('test', 'service', fingerprint)
  expect((await look(bundles))?.status).toBe('ok')
  expect([bundles.certificates('test', 'service').length, bundles.certificates('test', 'uploads').length]).toEqual([
    2, 3,
  ])

  writeFileSync(paths.test.base, pki.bundlePem + certPem)
  expect((await look(createTrustBundles(paths, Date.now, { test: true, live: false })))?.status).toBe('ok')
})

test('a file of additions that was cut keeps no machine from starting and selling, and the doctor names it', async () => {
  const added = trustPathsIn(join(gateway.dataDir, 'trust')).test.uploads
  await gateway.stop()
  writeFileSync(added, pki.bundlePem.slice(0, 300))
  await gateway.restart()
  expect(await gateway.sell()).toMatchObject({ status: 'confirmed' })
  const check = (await diagnose(gateway)).find(({ name }) => name === 'uploads test')
  expect(check).toMatchObject({ status: 'fail', detail: expect.stringContaining(`${added} cannot be used`) })
  rmSync(added)
})

test('trust test: for the own address of CIS, a bundle of strangers is a warning that names who is missing', async () => {
  const stranger = { subject: 'CN=Stranger', fingerprint: 'AA', notAfter: Date.now() + 400 * DAY_MS }
  const known = { name: 'Fina Demo Root CA', fingerprint: 'A0628E' }
  const inForce = async (...list: (typeof stranger)[]) => {
    const trust = {
      list: (_: string, which: string) => (which === 'service' ? [] : list),
      revocationLists: () => [],
      fileProblem: () => null,
      known: () => [known],
      given: () => null,
    }
    const checks = trustChecks({ store: NO_COMPANY, trust, clock: { now: Date.now }, deploymentMode: 'test' })
    return (await examine(checks))[0]
  }
  expect(await inForce(stranger)).toMatchObject({
    status: 'warn',
    detail: expect.stringContaining('Fina Demo Root CA'),
  })
  expect(await inForce({ ...stranger, fingerprint: 'A0628E' })).toMatchObject({ status: 'ok' })
})

test('revocations test: a list that should have been renewed is a warning', async () => {
  const by = pki.toJSON().issuing
  const nextUpdate = new Date(Date.now() - 60_000)
  const found = await withBundle(pki.bundlePem + listPem(makeList({ by, nextUpdate })))
  expect(verdicts(found)).toEqual(['revocations test warn'])
  expect(found[0]).toMatchObject({
    detail: expect.stringContaining('the list of CN=Simulator CA 2020,O=Simulator CIS,C=HR was to be renewed'),
    fix: 'bring the new list: fisk trust add --mode test --for uploads FILE',
  })
})
