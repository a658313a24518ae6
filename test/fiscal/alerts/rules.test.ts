import { expect, test } from 'vitest'
import { severityOf } from '../../../src/domain/alert.ts'
import type { PrinterCondition } from '../../../src/domain/printer.ts'
import { UNKNOWN_ROLL } from '../../../src/domain/printing/paper-roll.ts'
import { refusalMessage } from '../../../src/domain/sale/refusal.ts'
import type { Mode } from '../../../src/domain/sale/sale.ts'
import { createAlerts } from '../../../src/fiscal/alerts/alerts.ts'
import { authorityRule, createSightings } from '../../../src/fiscal/alerts/authority-rule.ts'
import { certificateRule } from '../../../src/fiscal/alerts/certificate-rule.ts'
import { isuRule, paperLowRule, printerRule } from '../../../src/fiscal/alerts/device-rules.ts'
import { expiredRule, invoiceRule } from '../../../src/fiscal/alerts/invoice-rules.ts'
import { addressRule, backupRule, clockRule, diskRule, slowDiskRule } from '../../../src/fiscal/alerts/machine-rules.ts'
import type { DiskSpace } from '../../../src/fiscal/sales/disk-space.ts'
import { progressOf } from '../../../src/fiscal/sales/submit.ts'
import { DEFAULT_TENANT } from '../../../src/store/store.ts'
import { sellingIn, watched, watchOf } from '../../support/alerting.ts'
import { OPERATOR } from '../../support/people.ts'

const HOURS = 60
const DAYS = 24 * HOURS
const MINUTE_MS = 60_000
/** No answer has been judged since the start. */
const UNHEARD = { isBelieved: () => undefined }

test('more sales of a stage change the count of its alert, and only the stage of the oldest one stands', async () => {
  const { store, time, at, news, ...it } = await watched()
  const { sell, company } = await sellingIn(store, time.now)
  const first = await sell()
  for (let day = 1; day <= 8; day++) await sell({ occurredAt: time.now + day * DAYS * MINUTE_MS })
  const look = watchOf({ store, ...it }, [invoiceRule(store, UNHEARD, () => time.now)])
  at(25 * DAYS)
  await look()
  await look()
  expect(news()).toEqual(['+unconfirmed_25'])
  const open = async () => (await store.alerts.open(null))[0]
  expect(await open()).toMatchObject({
    ...{ tenantId: DEFAULT_TENANT, subject: `${company.id} test` },
    detail: {
      ...{ company: 'Kava d.o.o.', mode: 'test', count: 9, oldest_at: '2026-03-04T09:00:00.000Z' },
      stages: { unconfirmed_25: 1, unconfirmed_21: 4, unconfirmed_legal: 4 },
    },
  })
  const { detail } = (await open()) ?? {}
  expect(detail?.invoices).toHaveLength(5)
  expect(detail?.invoices).toEqual(expect.arrayContaining([first.id]))
  at(26 * DAYS)
  await look()
  expect(news()).toEqual([])
  expect((await open())?.detail.stages).toMatchObject({ unconfirmed_25: 2 })
  at(28 * DAYS)
  await look()
  expect(news()).toEqual(['-unconfirmed_25', '+unconfirmed_28'])
  for (const { id } of await store.invoices.waiting('retrying', 1e15, 100)) {
    const confirmed = { status: 'confirmed', jir: id, confirmedAt: time.now, lateDelivery: true, attempts: 2 } as const
    const fine = { lastErrorClass: null, errorCode: null, errorMessage: null, deliveryFindings: null }
    await store.invoices.progress(id, { ...confirmed, ...fine })
  }
  await look()
  expect(news()).toEqual(['-unconfirmed_28'])
})

test('a thousand late sales are looked at in slices, and every one is counted', async () => {
  const { store, time, at, ...it } = await watched()
  const { sell } = await sellingIn(store, time.now)
  for (let i = 0; i < 450; i++) await sell()
  at(3 * DAYS)
  await watchOf({ store, ...it }, [invoiceRule(store, UNHEARD, () => time.now)])()
  const [alert] = await store.alerts.open(null)
  expect(alert).toMatchObject({ kind: 'unconfirmed_legal', detail: { count: 450 } })
})

test('refused sales are one alert for each cause, which is over when none is left', async () => {
  const { store, time, news, ...it } = await watched()
  const { sell } = await sellingIn(store, time.now)
  const failed = { status: 'failed', lastErrorClass: 'certificate', errorMessage: 'm' } as const
  await sell({ ...failed, errorCode: 'certificate_expired' })
  const other = await sell({ ...failed, errorCode: 'upstream_rejected' })
  await sell({ ...failed, errorCode: 'upstream_rejected' })
  const look = watchOf({ store, ...it }, [invoiceRule(store, UNHEARD, () => time.now)])
  await look()
  expect(news()).toEqual(['+invoices_failed', '+invoices_failed'])
  const causes = (await store.alerts.open(null)).map(({ detail }) => [detail.code, detail.count])
  expect(causes.sort()).toEqual([
    ['certificate_expired', 1],
    ['upstream_rejected', 2],
  ])
  for (const { id } of await store.invoices.waiting('failed', 1e15, 100)) {
    await store.invoices.progress(id, { ...progressOf(other), status: 'retrying' })
  }
  await look()
  expect(news()).toEqual(['-invoices_failed', '-invoices_failed'])
})

test('refused sales name the restrictive codes of them all, in order, and a code that comes later too', async () => {
  const { store, time, news, ...it } = await watched()
  const { sell } = await sellingIn(store, time.now)
  const refuse = (code: string, codes: number[]) =>
    sell({
      ...{ status: 'failed', lastErrorClass: 'validation', errorCode: 'upstream_rejected' },
      errorMessage: refusalMessage(code, 'the receipt has restrictive errors', codes),
    })
  await refuse('s013', [183, 185])
  await refuse('s001', [])
  const look = watchOf({ store, ...it }, [invoiceRule(store, UNHEARD, () => time.now)])
  await look()
  expect((await store.alerts.open(null))[0]?.detail.restrictive_codes).toEqual([183, 185])
  await refuse('s013', [176, 183])
  await look()
  expect((await store.alerts.open(null))[0]?.detail.restrictive_codes).toEqual([176, 183, 185])
  expect(news()).toEqual(['+invoices_failed'])
})

test('answers that are believed and doubted by turns are one alert, until doubt has lasted for ten minutes', async () => {
  const { store, time, at, news, ...it } = await watched()
  const { sell } = await sellingIn(store, time.now)
  const errorCode = 'upstream_signature_invalid'
  await sell({ status: 'failed', lastErrorClass: 'validation', errorMessage: 'm', errorCode })
  let believed: boolean | undefined = false
  const process = () => watchOf({ store, ...it }, [invoiceRule(store, { isBelieved: () => believed }, () => time.now)])
  let look = process()
  const lookAt = async (minute: number, isBelieved: boolean | undefined) => {
    at(minute)
    believed = isBelieved
    await look()
    return (await store.alerts.open(null)).map(({ kind, detail }) => [kind, detail.may_send])
  }
  expect(await lookAt(0, false)).toEqual([['invoices_failed', undefined]])
  expect(await lookAt(1, true)).toEqual([['answers_believed', true]])
  expect(news()).toEqual(['+invoices_failed', '-invoices_failed', '+answers_believed'])
  for (let minute = 2; minute < 60; minute += 2) {
    expect(await lookAt(minute, false)).toEqual([['answers_believed', false]])
    expect(await lookAt(minute + 1, true)).toEqual([['answers_believed', true]])
  }
  expect(news()).toEqual([])
  // After a start nobody knows, and what was told holds.
  look = process()
  expect(await lookAt(60, undefined)).toEqual([['answers_believed', true]])
  expect(await lookAt(61, false)).toEqual([['answers_believed', false]])
  look = process()
  expect(await lookAt(62, undefined)).toEqual([['answers_believed', false]])
  expect(await lookAt(71, false)).toEqual([['answers_believed', false]])
  expect(news()).toEqual([])
  expect(await lookAt(72, false)).toEqual([['invoices_failed', undefined]])
  expect(news()).toEqual(['-answers_believed', '+invoices_failed'])
})

test('expired sales are told until somebody knows, and again only when more expire', async () => {
  const { store, time, clock, news, ...it } = await watched()
  const { sell } = await sellingIn(store, time.now)
  await sell({ status: 'expired' })
  const deps = { store, clock, newUuid: () => 'x', words: {} as never, transport: null }
  const office = createAlerts({ ...deps, alertTo: { addresses: [], language: 'hr' } })
  const process = () => watchOf({ store, clock, ...it }, [expiredRule(store)])
  await process()()
  await process()()
  expect(news()).toEqual(['+invoices_expired'])
  await sell({ status: 'expired' })
  await process()()
  const [alert] = await store.alerts.open(null)
  expect(alert?.detail).toMatchObject({ count: 2, total: 2 })
  const known = await office.acknowledge(OPERATOR, String(alert?.id))
  expect(known).toMatchObject({ acknowledgedBy: 'operator', resolvedAt: time.now })
  await process()()
  expect(news()).toEqual([])
  await sell({ status: 'expired' })
  const look = process()
  await look()
  await look()
  expect(news()).toEqual(['+invoices_expired'])
  expect((await store.alerts.open(null))[0]?.detail).toMatchObject({ count: 1, total: 3 })
})

test('a new certificate ends what was told of the old one', async () => {
  const { store, time, news, ...it } = await watched()
  const { certificate, company } = await sellingIn(store, time.now - 1e11 + 5 * DAYS * MINUTE_MS)
  const look = watchOf({ store, ...it }, [certificateRule(store)])
  await look()
  expect(news()).toEqual(['+certificate_7'])
  await store.certificates.supersedeCurrent(company.id, time.now)
  const fresh = { ...certificate, id: `${certificate.id.slice(0, -1)}x`, serial: '02', notAfter: time.now + 1e11 }
  await store.certificates.insert({ ...fresh, sealedKey: Buffer.alloc(1) })
  await look()
  expect(news()).toEqual(['-certificate_7'])
})

test('a device whose number the tax authority does not know is told of until it is corrected', async () => {
  const { store, time, news, ...it } = await watched()
  const { device } = await sellingIn(store, time.now)
  const look = watchOf({ store, ...it }, [isuRule(store)])
  await store.devices.update(device.id, { isuStatus: 'mismatch' })
  await look()
  expect((await store.alerts.open(null))[0]).toMatchObject({ kind: 'isu_mismatch', detail: { isu_number: '101' } })
  await store.devices.update(device.id, { isuStatus: 'assigned' })
  await look()
  expect(news()).toEqual(['+isu_mismatch', '-isu_mismatch'])
})

const READY: PrinterCondition = {
  state: 'ready',
  paper: 'ok',
  cover: 'closed',
  error: false,
  reason: null,
  detail: null,
  fix: null,
}

test('paper near its end is told with what is left of it once that was learnt, and is over with a new roll', async () => {
  const { store, time, at, news, ...it } = await watched()
  const { device } = await sellingIn(store, time.now)
  const line = 'tcp:192.0.2.1:9100'
  await store.printers.put({ deviceId: device.id, line, profile: 'generic', overrides: {}, expireAfterS: 90 })
  let paper: PrinterCondition['paper'] = 'near_end'
  const conditions = () => new Map([[device.id, { ...READY, paper }]])
  const look = watchOf({ store, ...it }, [paperLowRule(store, conditions, () => time.now)])
  const minute = async (minutes: number, now: PrinterCondition['paper']) => {
    paper = now
    at(minutes)
    await look()
    return news()
  }
  expect(await minute(0, 'near_end')).toEqual([])
  expect(await minute(2, 'near_end')).toEqual(['+printer_paper_low'])
  expect((await store.alerts.open(null))[0]?.detail).not.toHaveProperty('receipts_left')
  const roll = { mm: 1000, receipts: 10, isWhole: true, paper: 'near_end', nearEndMm: 1000 } as const
  await store.paperRolls.put(line, { ...roll, rollMm: 60_000, restMm: 5000, receiptMm: 100 })
  expect(await minute(3, 'near_end')).toEqual([])
  expect((await store.alerts.open(null))[0]?.detail).toMatchObject({ receipts_left: 50 })
  expect(await minute(4, null)).toEqual([])
  // The sensor goes back and forth with each sale: one alert, one mail.
  for (let at = 5; at < 60; at++) expect(await minute(at, at % 10 < 5 ? 'ok' : 'near_end')).toEqual([])
  await store.paperRolls.put(line, { ...UNKNOWN_ROLL, isWhole: true, paper: 'ok' })
  expect(await minute(60, 'ok')).toEqual([])
  expect(await minute(62, 'ok')).toEqual(['-printer_paper_low'])
})

test('a printer is told of after ten minutes, the paper stays the paper, and a restart takes nothing back', async () => {
  const { store, time, at, news, ...it } = await watched()
  const { device } = await sellingIn(store, time.now)
  let condition: PrinterCondition = READY
  const process = () =>
    watchOf({ store, ...it }, [
      printerRule(
        store,
        () => new Map([[device.id, condition]]),
        () => time.now,
      ),
    ])
  let look = process()
  const minute = async (minutes: number, now: Partial<PrinterCondition>) => {
    condition = { ...READY, ...now }
    at(minutes)
    await look()
    return news()
  }
  expect(await minute(0, { state: 'offline', paper: 'out' })).toEqual([])
  expect(await minute(9, { state: 'offline', paper: 'out' })).toEqual([])
  expect(await minute(10, { state: 'offline', paper: 'out' })).toEqual(['+printer_out_of_paper'])
  // Its buffer is full of questions.
  expect(await minute(12, { state: 'silent', paper: null })).toEqual([])
  look = process()
  expect(await minute(13, { state: 'unknown', paper: null })).toEqual([])
  expect(await minute(14, { state: 'offline', paper: 'out' })).toEqual([])
  expect(await minute(30, { state: 'offline', paper: 'out' })).toEqual([])
  expect(await minute(31, {})).toEqual(['-printer_out_of_paper'])
  expect(await minute(32, { state: 'lost', paper: null })).toEqual([])
  expect(await minute(36, {})).toEqual([])
  expect(await minute(37, { state: 'lost', paper: null })).toEqual([])
  expect(await minute(46, { state: 'lost', paper: null })).toEqual([])
  expect(await minute(47, { state: 'lost', paper: null })).toEqual(['+printer_error'])
})

test('a disk that is short is told of at once, as one alert while it comes and goes', async () => {
  const { store, time, at, news, ...it } = await watched()
  let disk: DiskSpace = { room: 'no_diagnostics', freeBytes: 5 }
  const look = watchOf({ store, ...it }, [
    diskRule(
      async () => disk,
      () => time.now,
    ),
  ])
  await look()
  expect(news()).toEqual(['+disk_short'])
  disk = { room: 'no_sales', freeBytes: 0 }
  at(1)
  await look()
  const [alert] = await store.alerts.open(null)
  expect(alert && severityOf(alert)).toBe('urgent')
  disk = { room: 'everything', freeBytes: null }
  at(30)
  await look()
  disk = { room: 'everything', freeBytes: 1e9 }
  at(31)
  await look()
  at(40)
  await look()
  expect(news()).toEqual([])
  at(41)
  await look()
  expect(news()).toEqual(['-disk_short'])
})

test('a disk that takes seconds for a write is told of after five minutes, until it was quick for ten', async () => {
  const { store, time, at, news, ...it } = await watched()
  let writeMs: number | null = 5200
  const look = watchOf({ store, ...it }, [
    slowDiskRule(
      () => writeMs,
      () => time.now,
    ),
  ])
  await look()
  expect(news()).toEqual([])
  at(6)
  await look()
  expect(news()).toEqual(['+disk_slow'])
  writeMs = 12
  at(7)
  await look()
  expect(news()).toEqual([])
  at(18)
  await look()
  expect(news()).toEqual(['-disk_slow'])
})

test('a clock that cannot be relied on is told of after ten minutes', async () => {
  const { store, time, at, news, ...it } = await watched()
  let trusted = false
  const status = () => ({ trusted, status: trusted ? ('ok' as const) : ('unsynchronised' as const) })
  const look = watchOf({ store, ...it }, [clockRule(status, () => time.now)])
  for (const minute of [0, 9, 10, 11]) {
    at(minute)
    await look()
  }
  trusted = true
  await look()
  expect(news()).toEqual(['+clock_untrusted', '-clock_untrusted'])
})

test('an address that is gone for five minutes is told, each by itself, until it is back', async () => {
  const { store, time, at, news, ...it } = await watched()
  const gone: Record<string, string | null> = { '10.0.0.5:8443': 'gone', '10.0.0.6:8443': null }
  const listened = () => Object.entries(gone).map(([address, problem]) => ({ address, problem }))
  const look = watchOf({ store, ...it }, [addressRule(listened, () => time.now)])
  for (const minute of [0, 4, 5, 6]) {
    at(minute)
    await look()
  }
  expect(news()).toEqual(['+address_missing'])
  gone['10.0.0.6:8443'] = 'gone'
  gone['10.0.0.5:8443'] = null
  await look()
  expect(news()).toEqual(['-address_missing'])
  at(12)
  await look()
  expect(news()).toEqual(['+address_missing'])
  expect((await store.alerts.open(null)).map(({ subject }) => subject)).toEqual(['10.0.0.6:8443'])
})

test('a backup is overdue after eight days, once there are sales, until there is one', async () => {
  const { store, time, at, news, ...it } = await watched()
  const rule = backupRule(store, () => time.now)
  const look = watchOf({ store, ...it }, [rule])
  at(9 * DAYS)
  await look()
  expect(news()).toEqual([])
  const { company, sell } = await sellingIn(store, time.now)
  await sell()
  const premises = { companyId: company.id, mode: 'test', premisesCode: 'KIOSK1', year: 2026 } as const
  await store.numbering.setLevel(premises, 'P')
  at(9 * DAYS + 10)
  await look()
  expect(news()).toEqual(['+backup_overdue'])
  const entry = { id: 'a', at: time.now, actor: 'operator', tenantId: DEFAULT_TENANT, detail: {} }
  await store.audit.insert({ ...entry, action: 'database.backed_up' })
  at(9 * DAYS + 15)
  await look()
  expect(news()).toEqual([])
  at(9 * DAYS + 20)
  await look()
  expect(news()).toEqual(['-backup_overdue'])
  at(17 * DAYS)
  await look()
  expect(news()).toEqual([])
  at(17 * DAYS + 20)
  await look()
  expect(news()).toEqual(['+backup_overdue'])
})

test('the tax authority is told of when it has not answered for more than an hour, its announced pauses left out', async () => {
  const { store, time, at, news, clock, ...it } = await watched()
  const sightings = createSightings(() => time.now)
  let reachable = true
  const answer = { latencyMs: 1, endpoint: 'e', detail: null }
  const authority = sightings.watching({
    echo: async (_mode: Mode) => ({ ...answer, reachable }),
    expect() {},
    sign: () => Promise.reject(new Error('nothing is signed here')),
    submit: () => Promise.reject(new Error('nothing is sent here')),
  })
  // Closed from the second hour to the third.
  const isClosed = (mode: Mode, now: number) => mode === 'test' && Math.floor((now - start) / 3_600_000) === 1
  const start = time.now
  const deps = { store, sightings, isClosed, deploymentMode: 'test' as const, elapsed: () => time.now }
  let look = watchOf({ store, clock, ...it }, [authorityRule(deps)])
  const until = async (minutes: number) => {
    for (let minute = (time.now - start) / MINUTE_MS + 1; minute <= minutes; minute++) {
      at(minute)
      await authority.echo('test')
      await look()
    }
    return news()
  }
  await until(30)
  reachable = false
  expect(await until(119)).toEqual([])
  // 28 minutes before the pause, 32 after it.
  expect(await until(151)).toEqual([])
  expect(await until(152)).toEqual(['+cis_down'])
  expect((await store.alerts.open(null))[0]?.detail).toEqual({
    mode: 'test',
    since: new Date(start + 31 * MINUTE_MS).toISOString(),
  })
  look = watchOf({ store, clock, ...it }, [authorityRule(deps)])
  expect(await until(300)).toEqual([])
  reachable = true
  expect(await until(301)).toEqual(['-cis_down'])
})

test('a process that looks again after hours counts the outage that is, not the time since it looked', async () => {
  const { store, time, at, news, clock, ...it } = await watched()
  const sightings = createSightings(() => time.now)
  let reachable = false
  const authority = sightings.watching({
    echo: async (_mode: Mode) => ({ latencyMs: 1, endpoint: 'e', detail: null, reachable }),
    expect() {},
    sign: () => Promise.reject(new Error('nothing is signed here')),
    submit: () => Promise.reject(new Error('nothing is sent here')),
  })
  const deps = { store, sightings, isClosed: () => false, deploymentMode: 'test' as const, elapsed: () => time.now }
  const look = watchOf({ store, clock, ...it }, [authorityRule(deps)])
  await authority.echo('test')
  await look()
  // Another one looks meanwhile, and sees it answer and fail again.
  at(180)
  reachable = true
  await authority.echo('test')
  reachable = false
  await authority.echo('test')
  await look()
  expect(news()).toEqual([])
})

test('a rule that cannot be looked at keeps its alerts, and the others are looked at', async () => {
  const { store, time, news, ...it } = await watched()
  const { device } = await sellingIn(store, time.now)
  await store.devices.update(device.id, { isuStatus: 'mismatch' })
  const broken = { kinds: ['disk_short'] as const, look: () => Promise.reject(new Error('no disk')) }
  await store.alerts.raise({
    ...{ id: '1', tenantId: DEFAULT_TENANT, kind: 'disk_short', subject: 'disk', detail: {}, raisedAt: 1 },
  })
  await watchOf({ store, ...it }, [broken, isuRule(store)])()
  expect(news()).toEqual(['Error: no disk', '+isu_mismatch'])
  expect(await store.alerts.open(null)).toHaveLength(2)
})

test('a clock that is set right by some minutes takes nothing back that was told', async () => {
  const { store, time, at, news, ...it } = await watched()
  const { sell } = await sellingIn(store, time.now)
  await sell()
  const look = watchOf({ store, ...it }, [invoiceRule(store, UNHEARD, () => time.now)])
  at(25 * DAYS)
  await look()
  at(25 * DAYS - 5)
  await look()
  at(25 * DAYS + 1)
  await look()
  expect(news()).toEqual(['+unconfirmed_25'])
})
