import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, onTestFinished, test } from 'vitest'
import type { SaidCheck } from '../../../src/domain/check.ts'
import { alike } from '../../../src/domain/texts/both.ts'
import { UNWATCHED } from '../../../src/fiscal/clock/describe-clock.ts'
import { authorityChecks } from '../../../src/fiscal/doctor/authority-checks.ts'
import type { Diagnosis } from '../../../src/fiscal/doctor/doctor.ts'
import { loadPki, type Pki, type Simulator, startSimulator } from '../../../src/simulator/index.ts'
import { type CertificateOrder, DAY_MS, issueCertificate, NAME } from '../../../src/simulator/x509.ts'
import { changed, examine, inEnglish } from '../../support/diagnosis.ts'
import { atTheEndOfFile } from '../../support/file-end.ts'
import { type Gateway, startGateway, startSharedGateway } from '../../support/gateway.ts'
import { broken, type LookedAt, type Patient, sharedHealthyGateway, verdicts } from '../../support/healthy.ts'
import { pki } from '../../support/pki.ts'

let gateway: Gateway
let alone: LookedAt
beforeAll(async () => {
  gateway = await sharedHealthyGateway()
  alone = wayToCis(gateway)
})

/** A gateway whose doctor looks at the way to CIS alone. */
function wayToCis({ dataDir, admin }: Gateway): LookedAt {
  const look = async () => inEnglish((await admin<Diagnosis>('/admin/authority')).body.checks)
  return { dataDir, look }
}

/** What is found when another service stands in the place of CIS. */
function withOther(pki: Pki, patient: Patient = alone): Promise<SaidCheck[]> {
  const { cis } = gateway
  let other: Simulator | undefined
  return broken(
    patient,
    async () => {
      await cis.close()
      other = await startSimulator({ pki, port: Number(new URL(cis.url).port) })
    },
    async () => {
      await other?.close()
      await cis.comeBack()
    },
  )
}

const withTls = (tls: Pki['tls']) => withOther({ ...pki, tls })

async function withBundle(pem: string): Promise<void> {
  await gateway.stop()
  writeFileSync(join(gateway.dataDir, 'trust/test.pem'), pem)
  await gateway.restart()
}

const { root, issuing } = pki.toJSON()
const soon = new Date(Date.now() + DAY_MS)
const SERVER: CertificateOrder = {
  subject: [
    { type: NAME.organization, value: 'Simulator CIS' },
    { type: NAME.commonName, value: 'localhost' },
  ],
  use: 'tls-server',
  notBefore: new Date(Date.now() - 2 * DAY_MS),
  notAfter: soon,
  issuer: issuing,
}
const AFTER_TLS = ['CIS test TLS fail', 'CIS test echo skip', 'CIS test signature skip', 'CIS test clock skip']

test('CIS test name: a name that nobody knows fails alone, and what comes behind it was not looked at', async () => {
  const other = await startGateway({ FISKD_CIS_TEST_URL: 'https://nobody.invalid:8449/cis' })
  const found = changed(await alone.look(), await wayToCis(other).look())
  expect(verdicts(found)).toEqual([
    ...[
      'CIS test name fail',
      'CIS test port skip',
      'CIS test TLS skip',
      'CIS test echo skip',
      'CIS test signature skip',
      'CIS test clock skip',
    ],
  ])
  expect(found[0]).toMatchObject({
    detail: expect.stringContaining('nobody.invalid'),
    fix: expect.stringMatching(/DNS/),
  })
  expect(found[1]).toMatchObject({ detail: 'not looked at: see "CIS test name" first', fix: null })
})

test('CIS test port: a port that nobody listens on fails alone', async () => {
  const found = await broken(gateway, gateway.cis.goDown, gateway.cis.comeBack)
  expect(verdicts(found)).toEqual([
    ...[
      'CIS test port fail',
      'CIS test TLS skip',
      'CIS test echo skip',
      'CIS test signature skip',
      'CIS test clock skip',
    ],
  ])
  expect(found[0]).toMatchObject({
    detail: expect.stringContaining('ECONNREFUSED'),
    fix: expect.stringMatching(/TCP port \d+: a firewall/),
  })
})

test('CIS test TLS: a certificate of a stranger is told as something that answers in the place of CIS', async () => {
  const stranger = await issueCertificate({
    ...SERVER,
    subject: [{ type: NAME.organization, value: 'Hotel' }],
    issuer: null,
  })
  const found = await withTls(stranger)
  expect(verdicts(found)).toEqual(AFTER_TLS)
  expect(found[0]).toMatchObject({
    detail: 'the certificate O=Hotel is not one of CIS: it was issued by O=Hotel',
    fix: expect.stringContaining('sign-in page'),
  })
})

test('CIS test TLS: an expired certificate is told with its day', async () => {
  const expired = await issueCertificate({
    ...SERVER,
    notAfter: new Date('2026-01-02'),
    notBefore: new Date('2025-01-02'),
  })
  const found = await withTls(expired)
  expect(verdicts(found)).toEqual(AFTER_TLS)
  expect(found[0]).toMatchObject({
    detail: 'the certificate CN=localhost,O=Simulator CIS expired on 2026-01-02',
    fix: expect.stringContaining('check the date of this machine'),
  })
})

test('CIS test TLS: a certificate that begins tomorrow points to the date of this machine', async () => {
  const early = await issueCertificate({ ...SERVER, notBefore: soon, notAfter: new Date(Date.now() + 9 * DAY_MS) })
  const found = await withTls(early)
  expect(verdicts(found)).toEqual(AFTER_TLS)
  expect(found[0]).toMatchObject({ fix: expect.stringContaining('set the date of this machine') })
})

test('CIS test TLS: a certificate for another name is told with both names', async () => {
  const signer = await issueCertificate({ ...SERVER, use: 'signing' })
  const found = await withTls(signer)
  expect(verdicts(found)).toEqual(AFTER_TLS)
  expect(found[0]).toMatchObject({ detail: expect.stringContaining('not for 127.0.0.1') })
})

test.each([
  ['intermediate', 'CN=Simulator CA 2020', root.certPem],
  ['root', 'CN=Simulator Root CA', issuing.certPem],
])('CIS test TLS: a bundle without the %s is told which one is missing', async (kind, name, pem) => {
  const found = await broken(
    gateway,
    () => withBundle(pem),
    () => withBundle(pki.bundlePem),
  )
  const others = kind === 'root' ? ['chain Samoposluga d.o.o. fail'] : []
  expect(verdicts(found)).toEqual([...AFTER_TLS, ...others])
  expect(found[0]?.detail).toContain(`the ${kind} certificate ${name}`)
  expect(found[0]?.fix).toContain('fisk trust fetch --mode test')
})

test('CIS test echo: a service that answers something else fails alone', async () => {
  const found = await broken(
    alone,
    () => gateway.cis.always('html-500'),
    () => gateway.cis.always(null),
  )
  expect(verdicts(found)).toEqual(['CIS test echo fail', 'CIS test signature skip', 'CIS test clock skip'])
  expect(found[0]).toMatchObject({
    detail: expect.stringContaining('HTTP 500'),
    fix: expect.stringContaining('sales go on'),
  })
})

/** By how much the clock of the CIS of this gateway goes ahead. */
let aheadMs = 0
let beside: Gateway
beforeAll(async () => {
  const cis = await startSimulator({ pki, now: () => Date.now() + aheadMs })
  atTheEndOfFile(() => cis.close())
  beside = await startSharedGateway({ FISKD_CIS_TEST_URL: cis.url })
})

/** What is found about the clock when that of CIS goes ahead. */
async function withClockAhead(offsetMs: number, synchronised: boolean | null): Promise<SaidCheck | undefined> {
  const set = async (isSynchronised: boolean | null) => {
    beside.clock.synchronised = isSynchronised
    await beside.checkClock()
  }
  const breakIt = async () => {
    await set(synchronised)
    aheadMs = offsetMs
  }
  const mend = async () => {
    aheadMs = 0
    await set(true)
  }
  const found = await broken(wayToCis(beside), breakIt, mend)
  return found.find(({ name }) => name === 'CIS test clock')
}

test.each([
  [3_600_000, null, 'fail', '3600 s behind'],
  [-120_000, null, 'warn', '120 s ahead of'],
  [-120_000, true, 'warn', '120 s ahead of'],
])(
  'CIS test clock: a clock from which that of CIS differs by %i ms is found',
  async (offsetMs, server, status, says) => {
    const found = await withClockAhead(offsetMs, server)
    expect(found?.status).toBe(status)
    const seconds = Number(/is (\d+) s/.exec(found?.detail ?? '')?.[1])
    expect(Math.abs(seconds - Math.abs(offsetMs / 1000))).toBeLessThanOrEqual(2)
    expect(found?.detail).toContain(says.split(' ')[2])
    expect(found?.fix).toContain('sudo timedatectl set-ntp true')
  },
)

test('CIS test clock: a machine that follows a time server is not told to take the time of CIS', async () => {
  expect(await withClockAhead(3_600_000, true)).toMatchObject({
    status: 'warn',
    detail:
      'the time in the headers of the service is 60 minutes ahead of the time server that this machine follows: it is not believed',
    fix: expect.stringContaining('compare the time of this machine'),
  })
})

test('CIS test signature: answers that are signed by a stranger are told before the first sale', async () => {
  const stranger = await pki.issueSigner({ cn: 'somebody' })
  const found = await withOther(loadPki({ ...pki.toJSON(), signer: stranger }), gateway)
  expect(verdicts(found)).toEqual(['CIS test signature fail'])
  expect(found[0]).toMatchObject({
    detail: expect.stringContaining('the certificate of somebody, issued by Simulator CA 2020'),
    fix: expect.stringContaining('FISKD_CIS_SIGNERS=test=ID:CN'),
  })
})

test('CIS test signature: SHA-1 is told, and where it is refused the fix is the setting and not the trust bundle', async () => {
  gateway.cis.hash = 'sha1'
  onTestFinished(() => {
    gateway.cis.hash = 'sha256'
  })
  const signature = (checks: SaidCheck[]) => checks.find(({ name }) => name === 'CIS test signature')
  expect(signature(await alone.look())).toMatchObject({
    status: 'ok',
    detail: expect.stringContaining('rsa-sha1 (SHA-1, accepted)'),
  })
  const refusing = await startGateway({ FISKD_CIS_SHA1_ANSWERS: 'refuse' })
  refusing.cis.hash = 'sha1'
  expect(signature(await wayToCis(refusing).look())).toMatchObject({
    status: 'fail',
    detail: expect.stringContaining('signed with rsa-sha1, which FISKD_CIS_SHA1_ANSWERS refuses'),
    fix: 'set FISKD_CIS_SHA1_ANSWERS=accept in /etc/fiskd/fiskd.env and restart fiskd',
  })
})

test('CIS test clock: a Date that is not the time that the service signs is told, and not believed', async () => {
  const found = await broken(
    alone,
    () => (gateway.cis.dateAheadMs = 3 * 365 * DAY_MS),
    () => (gateway.cis.dateAheadMs = 0),
  )
  expect(verdicts(found)).toEqual(['CIS test clock warn'])
  expect(found[0]).toMatchObject({
    detail: 'the time in the headers of the service is 1095 days ahead of the one that it signs: it is not believed',
    fix: 'let this machine follow a time server: sudo timedatectl set-ntp true',
  })
})

test('CIS test signature: a service that signs nothing but answers to sales is told by the last of them', async () => {
  const own = await startGateway()
  own.cis.signsNothing = false
  await own.restart()
  const detailOf = async () => (await wayToCis(own).look()).find(({ name }) => name === 'CIS test signature')?.detail
  expect(await detailOf()).toMatch(/: how its answers are signed shows with the first sale$/)
  await own.sell()
  expect(await detailOf()).toMatch(/; the last answer that was believed is signed rsa-sha256$/)
})

test('a test service that is closed by its timetable is a warning, not a fault', async () => {
  const steps = [{ step: 'name', detail: alike('no answer'), fix: alike('wait') }] as const
  const examinations = authorityChecks({
    store: { companies: { activeModes: async () => [] } } as never,
    authority: {
      reach: async () => ({
        steps: [...steps],
        aheadMs: null,
        closed: true,
        signature: null,
        dateAheadOfSignedMs: null,
      }),
    },
    clock: { of: () => ({ state: () => UNWATCHED }) },
    beliefs: { lastSignature: () => undefined },
    deploymentMode: 'test',
  })
  const checks = await examine(examinations)
  expect(checks[0]).toMatchObject({
    name: 'CIS test name',
    status: 'warn',
    fix: expect.stringContaining('when it is open'),
  })
  expect(checks.slice(1).map(({ status }) => status)).toEqual(['skip', 'skip', 'skip', 'skip', 'skip'])
})
