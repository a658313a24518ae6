import { randomUUID } from 'node:crypto'
import { expect, onTestFinished, test } from 'vitest'
import { createMailWords } from '../../../src/alerts/compose-mail.ts'
import { createMailTransport } from '../../../src/alerts/smtp-transport.ts'
import { createKeyedLock } from '../../../src/domain/keyed-lock.ts'
import { createAlertWatch } from '../../../src/fiscal/alerts/alert-watch.ts'
import { createAlerts } from '../../../src/fiscal/alerts/alerts.ts'
import { certificateRule } from '../../../src/fiscal/alerts/certificate-rule.ts'
import { expiredRule, invoiceRule } from '../../../src/fiscal/alerts/invoice-rules.ts'
import { createMailing } from '../../../src/fiscal/alerts/mailing.ts'
import { createLease } from '../../../src/fiscal/lease.ts'
import type { Alert } from '../../../src/fiscal/ports/alerts.ts'
import { LOCAL_GATEWAY } from '../../../src/fiscal/ports/model.ts'
import type { Store } from '../../../src/fiscal/ports/store.ts'
import { createExpiry } from '../../../src/fiscal/sales/expire.ts'
import { DEFAULT_TENANT, openStore } from '../../../src/store/store.ts'
import { forBoth } from '../../support/clocks.ts'
import { freshDatabase } from '../../support/database.ts'
import { Killed, killedAt } from '../../support/killed-store.ts'
import { alertsIn, startMailServer } from '../../support/mail-server.ts'
import { OPERATOR, userRow } from '../../support/people.ts'
import { fleet, withoutLogo } from '../../support/sync-rows.ts'

const MINUTE = 60_000
const DAY = 24 * 60 * MINUTE
/** A Wednesday, at 10:00 in Zagreb. */
const START = Date.parse('2026-03-04T09:00:00Z')
/** Between two passes, when something is to be told soon or was lately, and when not. */
const SHORT_STEP = 30 * MINUTE
const LONG_STEP = 6 * 60 * MINUTE
const ANA = 'ana@example.hr'
const BOSS = 'boss@example.com'

/** The same numbers for the same seed. */
function randomFrom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32
  }
}

/** A gateway with one sale that nobody confirms, and a certificate that lasts 61 days more. */
async function sellOnce(store: Store): Promise<void> {
  const { company, certificate, device, invoice } = fleet()
  const own = { tenantId: DEFAULT_TENANT, gatewayId: LOCAL_GATEWAY }
  await store.companies.insert({ ...withoutLogo(company), ...own })
  await store.certificates.insert({ ...certificate, notAfter: START + 61 * DAY, sealedKey: Buffer.alloc(1) })
  await store.devices.insert({ ...device, ...own })
  const sold = { occurredAt: START, deadlineAt: START + 30 * DAY, createdAt: START }
  const waits = { status: 'retrying', jir: null, confirmedAt: null, journalPosition: 1 } as const
  await store.invoices.insert({ ...invoice(1), ...own, ...sold, ...waits })
  await store.users.insert(userRow({ role: 'operator', createdAt: START, email: ANA }))
}

interface Time {
  now: number
}

/** What a daemon does each minute about alerts, as one process of it. */
function startProcess(store: Store, time: Time, mailPort: number) {
  const clock = { now: () => time.now }
  const proven = { ...clock, proven: clock.now, present: () => ({}) as never }
  const deps = { store, clock, newUuid: randomUUID, lease: createLease({ store, clock }, 'alerts', randomUUID()) }
  const words = createMailWords({ dashboardUrl: 'https://office.example.hr', host: 'office' })
  const server = { host: '127.0.0.1', port: mailPort, secure: false, login: null }
  const transport = createMailTransport({ server, from: 'fiskd <fiskd@example.hr>' })
  const alertTo = { addresses: [BOSS], language: 'en' as const }
  const faults: unknown[] = []
  const expire = createExpiry({ store, invoiceLock: createKeyedLock(), clock: forBoth(proven), onExpired: () => {} })
  const watch = createAlertWatch({
    ...{
      ...deps,
      rules: [
        invoiceRule(store, { isBelieved: () => undefined }, clock.now),
        expiredRule(store),
        certificateRule(store),
      ],
    },
    ...{ onRaised: () => {}, onResolved: () => {}, reportFault: (_kinds, error) => faults.push(error) },
  })
  const mail = createMailing({ ...deps, words, transport, alertTo, onMail: () => {} })
  return {
    useCases: createAlerts({ ...deps, words, transport, alertTo }),
    async pass(): Promise<void> {
      await expire()
      await watch()
      if (faults.length > 0) throw faults[0]
      await mail()
    },
  }
}

/** Days after the sale at which each is told by mail, and until when at the latest. */
const TOLD: Record<string, [from: number, until: number]> = {
  // The second working day is a Friday, and ends with it.
  unconfirmed_legal: [(Date.parse('2026-03-06T23:00:00Z') - START) / DAY, 0],
  certificate_60: [1, 0],
  // The mail server is down for a day when this is due.
  unconfirmed_25: [25, 26],
  unconfirmed_28: [28, 0],
  invoices_expired: [30, 0],
  certificate_30: [31, 0],
  certificate_14: [47, 0],
  certificate_7: [54, 0],
  certificate_1: [60, 0],
  certificate_expired: [61, 0],
}

test.each([1, 2])(
  'a sale of 31 days and a certificate of 61 are told of as they should be, once, whenever the process ends (seed %i)',
  async (seed) => {
    const random = randomFrom(seed)
    const mailServer = await startMailServer()
    const path = await freshDatabase()
    const time: Time = { now: START }
    let store = await openStore(path, START)
    onTestFinished(() => store.close())
    await sellOnce(store)
    let process = startProcess(store, time, mailServer.port)
    const arrived: number[] = []
    const ended = { killed: 0, stopped: 0 }
    let isDown = false
    let known = false

    async function restart(anew: boolean): Promise<void> {
      if (anew) {
        await store.close()
        store = await openStore(path, time.now)
      }
      await store.leases.clear()
      process = startProcess(store, time, mailServer.port)
    }

    while (time.now < START + 62 * DAY) {
      time.now += Math.ceil(random() * (isNear(time.now) ? SHORT_STEP : LONG_STEP))
      const day = (time.now - START) / DAY
      const shouldBeDown = day >= 24.9 && day < 25.9
      if (shouldBeDown !== isDown) await (shouldBeDown ? mailServer.goDown() : mailServer.comeBack())
      isDown = shouldBeDown
      if (random() < 0.02) {
        await restart(true)
        ended.stopped++
      }
      if (!known && day >= 33) {
        const [expired] = (await store.alerts.open(null)).filter(({ kind }) => kind === 'invoices_expired')
        await process.useCases.acknowledge(OPERATOR, String(expired?.id))
        known = true
      }
      // Something is about to be told: that is where the end of the process matters.
      if (random() < (isNear(time.now) ? 0.7 : 0.03)) {
        const doomed = startProcess(killedAt(store, Math.ceil(random() * 40), random() < 0.5), time, mailServer.port)
        await store.leases.clear()
        const end = await doomed.pass().catch((error: unknown) => error)
        if (end !== undefined && !(end instanceof Killed)) throw end
        if (end instanceof Killed) ended.killed++
        await restart(false)
      } else {
        await process.pass()
      }
      while (arrived.length < mailServer.mails.length) arrived.push(time.now)
    }

    // Enough has gone wrong.
    expect(ended.killed).toBeGreaterThan(100)
    expect(ended.stopped).toBeGreaterThan(5)
    const alerts = new Map(
      (await store.alerts.list({ tenantId: DEFAULT_TENANT, companyIds: null }, { limit: 1000 })).map((one) => [
        one.id,
        one,
      ]),
    )
    expect([...alerts.values()].map(({ kind }) => kind).sort()).toEqual([...Object.keys(TOLD), 'unconfirmed_21'].sort())
    const open = [...alerts.values()].filter(({ resolvedAt }) => resolvedAt === null)
    expect(open.map(({ kind }) => kind)).toEqual(['certificate_expired'])
    for (const recipient of [ANA, BOSS]) {
      expect(noticesTo(recipient), recipient).toEqual(Object.keys(TOLD).sort())
    }

    /** The kinds of what a recipient was told: each mail counts once, however often its Message-ID came. */
    function noticesTo(recipient: string): string[] {
      const told: string[] = []
      const seen = new Map<string, string>()
      for (const [index, mail] of mailServer.mails.entries()) {
        const to = Array.isArray(mail.to) ? mail.to[0] : mail.to
        if (to?.value[0]?.address !== recipient) continue
        const before = seen.get(String(mail.messageId))
        seen.set(String(mail.messageId), String(mail.text))
        if (before !== undefined) {
          expect(mail.text).toBe(before)
          continue
        }
        const about = alertsIn(mail).map((id) => alerts.get(id) as Alert)
        expect(about.length).toBeGreaterThan(0)
        for (const { kind } of about) expectInTime(kind, arrived[index] ?? 0)
        told.push(...about.map(({ kind }) => kind))
      }
      return told.sort()
    }

    function expectInTime(kind: string, at: number): void {
      const [from, until] = TOLD[kind] ?? [Number.NaN, 0]
      const day = (at - START) / DAY
      expect(day, kind).toBeGreaterThanOrEqual(from)
      // A pass that finds it, one that mails it, and both may have ended in the middle a few times.
      expect(day, kind).toBeLessThan(Math.max(from, until) + (20 * SHORT_STEP) / DAY)
    }
  },
)

const STAGES = Object.values(TOLD).flatMap(([from, until]) => [from, until || from].map((day) => START + day * DAY))

/** Whether something is to be told soon, or was lately. */
function isNear(now: number): boolean {
  return STAGES.some((at) => now > at - 1.1 * LONG_STEP && now < at + 10 * SHORT_STEP)
}
