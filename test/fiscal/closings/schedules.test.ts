import { randomUUID } from 'node:crypto'
import type { SMTPServerOptions } from 'smtp-server'
import { describe, expect, test } from 'vitest'
import { createMailTransport } from '../../../src/alerts/smtp-transport.ts'
import { startOfDate } from '../../../src/domain/working-days.ts'
import { principalOf, principalOfUser } from '../../../src/fiscal/access/sessions.ts'
import { createPeriodClosing } from '../../../src/fiscal/closings/close-period.ts'
import {
  createClosingSchedules,
  SCHEDULE_BOUNDS,
  type WantedSchedule,
} from '../../../src/fiscal/closings/closing-schedules.ts'
import { createClosings } from '../../../src/fiscal/closings/closings.ts'
import { runSchedules } from '../../../src/fiscal/closings/run-schedules.ts'
import { createLease } from '../../../src/fiscal/lease.ts'
import { createOfficeMailing } from '../../../src/fiscal/mail/office-mail.ts'
import { createOfficeSending } from '../../../src/fiscal/mail/send-office-mails.ts'
import type { User } from '../../../src/fiscal/ports/model.ts'
import { closingLetter } from '../../../src/reports/closings/letter.ts'
import { startMailServer } from '../../support/mail-server.ts'
import { OIBS } from '../../support/pki.ts'
import { freshStore, openShop } from '../../support/shop.ts'

const at = (month: number, date: number, hour = 12) => startOfDate(2026, month, date) + hour * 3_600_000
const DAILY: WantedSchedule = {
  ...{ unit: 'day', mode: 'test', companyId: null, recipient: 'knjige@example.hr', language: 'hr' },
}
const ANA: User = {
  ...{ id: randomUUID(), tenantId: 'default', name: 'ana@example.hr', role: 'operator', language: 'hr' },
  ...{ passwordHash: '', email: null, wantsMail: false, companyIds: null, mailCompanyIds: null },
  ...{ isPlatformAdmin: false, sealedTotp: null, totpStep: 0, createdAt: 1 },
}

/** An office at a moment, with a user, a shop and a mail server. */
async function office({ now = at(5, 4), ...smtp }: SMTPServerOptions & { now?: number } = {}) {
  const store = await freshStore()
  const time: { now: number; earliest?: number } = { now }
  const present = () => ({ now: time.now, earliest: time.earliest ?? time.now, latest: time.now })
  const clock = { now: () => time.now, present }
  await store.users.insert(ANA)
  const shop = await openShop(store)
  const mailServer = await startMailServer(smtp)
  const server = { host: '127.0.0.1', port: mailServer.port, secure: false, login: null }
  const transport = createMailTransport({ server, from: 'fiskd@example.hr', timeoutMs: 20_000 })
  const deps = { store, clock: clock as never, newUuid: randomUUID }
  const mails = createOfficeMailing({ ...deps, isSet: true, onQueued: () => {} })
  const schedules = createClosingSchedules({ ...deps, isSet: true, onSaved: () => {} })
  const leaseOf = (name: string) => createLease({ store, clock }, name, randomUUID())
  const faults: unknown[] = []
  /** A process of its own. */
  const process = () => {
    const closings = createClosings({ ...deps, periods: createPeriodClosing(deps), onFault: () => {} })
    const lease = leaseOf('closing-schedules')
    const user = (id: string) => principalOfUser(store, id)
    const running = {
      ...{ store, clock, lease, closings, mails, principalOf: user, letter: closingLetter },
      onFault: (_schedule: unknown, error: unknown) => void faults.push(error),
    }
    const send = createOfficeSending({ store, clock, transport, lease: leaseOf('office-mails'), onMail: () => {} })
    return {
      closings,
      lease,
      async pass(now = time.now, signal = new AbortController().signal) {
        time.now = now
        await runSchedules(running, signal)
        await send()
      },
    }
  }
  const { pass, lease, closings } = process()
  const subjects = () => mailServer.mails.map(({ subject }) => subject)
  const boss = principalOf(ANA)
  return { store, time, shop, mailServer, schedules, process, pass, lease, closings, subjects, faults, boss }
}

test('a day is closed and mailed in the night after it, once over passes, restarts and processes', async () => {
  const { shop, store, mailServer, schedules, process, pass, lease, closings, subjects, boss } = await office()
  await schedules.add(boss, DAILY)
  await shop.sold({ occurredAt: at(5, 3) })
  await shop.sold({ occurredAt: at(5, 4) })
  await shop.sold({ occurredAt: at(5, 4, 20), status: 'retrying', jir: null, confirmedAt: null })
  await pass(at(5, 5, 2.9))
  expect(subjects()).toEqual([])
  await pass(at(5, 5, 3))
  expect(subjects()).toEqual(['Zaključci za 4. 5. 2026.'])
  const [mail] = mailServer.mails
  expect(mail?.text).toContain('Ukupno zaključaka: 1. Ukupno računa: 2.')
  expect(mail?.text).toContain('Bez JIR-a u trenutku zaključenja: 1, iznos 2,50\u00a0€ (3/KIOSK1/101).')
  expect(mail?.attachments[0]?.content.toString()).toContain(';5,00;')
  const day = { unit: 'day', starts: '2026-05-04', mode: 'test' } as const
  expect(await closings.state(boss, day)).toMatchObject({ premises: 1, open: [] })
  await pass(at(5, 5, 4))
  await lease.release()
  await Promise.all([process().pass(), process().pass()])
  expect(subjects()).toHaveLength(1)
  const [view] = await schedules.list(boss)
  expect(view).toMatchObject({ savedBy: ANA.name, schedule: { nextStarts: '2026-05-05', stopped: null } })
  expect(view?.mail).toMatchObject({ status: 'sent', about: 'closings test day 2026-05-04' })
  expect((await store.audit.list('default', {}, { limit: 9 })).map(({ action }) => action).sort()).toEqual([
    ...['closing_schedule.added', 'closings.mailed', 'period.closed'],
  ])
})

test('each company has its own sums, under its name and OIB, and nothing is added over several', async () => {
  const { shop, store, mailServer, schedules, pass, boss } = await office()
  const other = await openShop(store, { oib: OIBS[1] as string, premisesCode: 'P2', isuNumber: '2' })
  await schedules.add(boss, DAILY)
  for (let sale = 0; sale < 500; sale++) await shop.sold({ occurredAt: at(5, 4) })
  await other.sold({ occurredAt: at(5, 4) })
  await pass(at(5, 5, 3))
  const lines = mailServer.mails[0]?.text?.split('\n') ?? []
  const ofCompany = (oib: unknown) => lines.slice(lines.findIndex((line) => line.endsWith(`, OIB ${oib}`))).slice(1, 4)
  expect(ofCompany(OIBS[0])).toEqual([
    'Ukupno zaključaka: 1. Ukupno računa: 500.',
    expect.stringMatching(/: 1\.250,00\s€$/),
    expect.stringMatching(/^Ukupno: 1\.250,00\s€$/),
  ])
  expect(ofCompany(OIBS[1])).toEqual([
    'Ukupno zaključaka: 1. Ukupno računa: 1.',
    expect.stringMatching(/: 2,50\s€$/),
    expect.stringMatching(/^Ukupno: 2,50\s€$/),
  ])
  expect(lines.join()).not.toMatch(/1\.252,50/)
})

test('after an outage the last 31 days are sent, each by itself, and no day before the schedule', async () => {
  const { shop, schedules, pass, subjects, boss } = await office()
  await schedules.add(boss, DAILY)
  for (const date of [4, 5, 12]) await shop.sold({ occurredAt: at(5, date) })
  await pass(at(5, 6))
  expect(subjects().sort()).toEqual(['Zaključci za 4. 5. 2026.', 'Zaključci za 5. 5. 2026.'])
  await pass(at(6, 10))
  const dates = Array.from({ length: 31 }, (_, back) => new Date(Date.UTC(2026, 5, 9 - back)))
  const days = dates.map((day) => `Zaključci za ${day.getUTCDate()}. ${day.getUTCMonth() + 1}. 2026.`)
  expect(subjects().slice(2).sort()).toEqual(days.sort())
})

test('while the clock is not confirmed a new schedule sends no day before it was made, and nothing is told twice', async () => {
  const { store, time, shop, schedules, pass, subjects, boss } = await office()
  for (const date of [1, 2, 3, 4, 5]) await shop.sold({ occurredAt: at(5, date) })
  time.earliest = at(5, 2)
  await schedules.add(boss, DAILY)
  await pass(at(5, 4, 13))
  expect(subjects()).toEqual([])
  delete time.earliest
  await pass(at(5, 6, 4))
  expect(subjects().sort()).toEqual(['Zaključci za 4. 5. 2026.', 'Zaključci za 5. 5. 2026.'])
  // A clock that was far ahead for a moment lets a period be looked at once more.
  const [view] = await schedules.list(boss)
  await store.closingSchedules.update(view?.schedule.id ?? '', { nextStarts: '2031-05-04' })
  await pass(at(5, 6, 5))
  expect(subjects()).toHaveLength(2)
  const told = (await store.audit.list('default', {}, { limit: 90 })).filter(
    ({ action }) => action === 'closings.mailed',
  )
  expect(told).toHaveLength(2)
})

test('a month goes out in English as a month, and one without sales says so and has no file', async () => {
  const { shop, mailServer, schedules, pass, subjects, boss } = await office()
  await schedules.add(boss, { ...DAILY, unit: 'month', language: 'en' })
  await shop.sold({ occurredAt: at(5, 31, 23) })
  await pass(at(6, 1, 2))
  expect(subjects()).toEqual([])
  await pass(at(6, 1, 4))
  await pass(at(7, 1, 4))
  expect(subjects()).toEqual(['Closings of 05/2026', 'Closings of 06/2026'])
  expect(mailServer.mails.map(({ attachments }) => attachments.length)).toEqual([1, 0])
  expect(mailServer.mails[1]?.text).toContain('There are no invoices in this period.')
  expect(mailServer.mails[1]?.text).toContain('OVO NIJE FISKALIZIRANI RAČUN (not a fiscal receipt).')
})

test('what was closed by hand is mailed as it is, with a supplementary closing of what came since', async () => {
  const { shop, time, mailServer, schedules, closings, pass, boss } = await office()
  await schedules.add(boss, DAILY)
  await shop.sold({ occurredAt: at(5, 4) })
  time.now = at(5, 5, 1)
  await closings.close(boss, { unit: 'day', starts: '2026-05-04', mode: 'test' })
  await shop.sold({ occurredAt: at(5, 4, 23) })
  await pass(at(5, 5, 4))
  expect(mailServer.mails[0]?.text).toContain('Ukupno zaključaka: 2. Ukupno računa: 2.')
})

test('a clock that may be ahead closes nothing', async () => {
  const it = await office()
  await it.schedules.add(it.boss, DAILY)
  await it.shop.sold({ occurredAt: at(5, 4) })
  const clock = { now: () => at(5, 9), present: () => ({ now: at(5, 9), earliest: at(5, 4, 13), latest: at(5, 9) }) }
  const running = { store: it.store, clock, lease: it.lease, closings: it.closings, letter: closingLetter }
  const mails = { queue: () => Promise.reject(new Error('a mail')) }
  const rest = {
    mails,
    principalOf: async () => it.boss,
    onFault: (_one: unknown, error: unknown) => it.faults.push(error),
  }
  await runSchedules({ ...running, ...rest }, new AbortController().signal)
  expect(it.faults).toEqual([])
  expect(await it.closings.sums(it.boss, { unit: 'day', starts: '2026-05-04', mode: 'test' })).toMatchObject({
    closings: 0,
  })
})

test('a schedule that a clock far ahead has saved goes on by the right time', async () => {
  const { shop, time, schedules, pass, subjects, boss } = await office({ now: at(5, 4) + 5 * 365 * 86_400_000 })
  await schedules.add(boss, DAILY)
  await shop.sold({ occurredAt: at(5, 4) })
  time.now = at(5, 5)
  await pass()
  await pass(at(5, 6))
  expect(subjects()).toEqual(['Zaključci za 4. 5. 2026.', 'Zaključci za 5. 5. 2026.'])
})

describe('a schedule sends what the user who saved it may see', () => {
  test('and stops when the user may not any more, until somebody saves it who may', async () => {
    const { store, shop, schedules, pass, subjects, boss } = await office()
    const { id } = await schedules.add(boss, DAILY)
    await shop.sold({ occurredAt: at(5, 4) })
    await store.users.update(ANA.id, { role: 'viewer' })
    await pass(at(5, 5))
    expect((await schedules.get(boss, id)).schedule).toMatchObject({ stopped: 'not_allowed', nextStarts: '2026-05-04' })
    await store.users.insert({ ...ANA, id: 'b', name: 'boris' })
    await schedules.change({ ...boss, id: 'b' }, id, DAILY)
    expect((await schedules.get(boss, id)).schedule).toMatchObject({ stopped: null, savedBy: 'b' })
    await pass(at(5, 5, 13))
    expect(subjects()).toEqual(['Zaključci za 4. 5. 2026.'])
    await store.users.remove('b')
    await pass(at(5, 6))
    expect(await schedules.get(boss, id)).toMatchObject({ savedBy: null, schedule: { stopped: 'not_allowed' } })
    expect(subjects()).toHaveLength(1)
  })

  test('a limited user has schedules of their companies only, and nobody gets more by them', async () => {
    const { store, shop, mailServer, schedules, pass, boss } = await office()
    const other = await openShop(store, { oib: OIBS[1] as string, label: 'two', isuNumber: '2', premisesCode: 'TUDI' })
    const all = await schedules.add(boss, { ...DAILY, recipient: 'sve@example.hr' })
    const limited = { ...boss, id: 'l', companyIds: [shop.companyId] }
    await store.users.insert({ ...ANA, id: 'l', name: 'luka', companyIds: limited.companyIds })
    await expect(schedules.add(limited, DAILY)).rejects.toMatchObject({ code: 'insufficient_scope' })
    const theirs = { ...DAILY, companyId: other.companyId }
    await expect(schedules.add(limited, theirs)).rejects.toMatchObject({ status: 404 })
    const foreign = await schedules.add(boss, theirs)
    const own = await schedules.add(limited, { ...DAILY, companyId: shop.companyId })
    expect((await schedules.list(limited)).map(({ schedule }) => schedule.id)).toEqual([own.id])
    for (const { id } of [all, foreign]) {
      await expect(schedules.get(limited, id)).rejects.toMatchObject({ status: 404 })
      await expect(schedules.change(limited, id, theirs)).rejects.toMatchObject({ status: 404 })
      await expect(schedules.remove(limited, id)).rejects.toMatchObject({ status: 404 })
    }
    await schedules.remove(boss, foreign.id)
    await shop.sold({ occurredAt: at(5, 4) })
    await other.sold({ occurredAt: at(5, 4) })
    await pass(at(5, 5))
    const filesTo = (address: string) =>
      mailServer.mails
        .filter(({ text, to }) => text && [to].flat()[0]?.text === address)
        .map(({ attachments }) => attachments[0]?.content.toString() ?? '')
    expect(filesTo('knjige@example.hr')).toEqual([expect.not.stringContaining('TUDI')])
    expect(filesTo('sve@example.hr')).toEqual([expect.stringContaining('TUDI')])
  })
})

test('a schedule that is removed or changed while its letter is written sends nothing of the old one', async () => {
  const it = await office()
  const { id } = await it.schedules.add(it.boss, DAILY)
  await it.shop.sold({ occurredAt: at(5, 4) })
  it.time.now = at(5, 5)
  const clock = {
    now: () => it.time.now,
    present: () => ({ now: it.time.now, earliest: it.time.now, latest: it.time.now }),
  }
  const mails = createOfficeMailing({ store: it.store, clock, newUuid: randomUUID, isSet: true, onQueued: () => {} })
  const letter = async (...of: Parameters<typeof closingLetter>) => {
    await it.schedules.change(it.boss, id, { ...DAILY, recipient: 'nova@example.hr' })
    return closingLetter(...of)
  }
  const running = { store: it.store, clock, lease: it.lease, closings: it.closings, mails, letter }
  await runSchedules(
    { ...running, principalOf: async () => it.boss, onFault: (_one, error) => it.faults.push(error) },
    new AbortController().signal,
  )
  expect(it.faults).toEqual([])
  await it.pass()
  expect(it.mailServer.mails.map(({ to }) => [to].flat()[0]?.text)).toEqual(['nova@example.hr'])
})

test('a wrong address, a reader and too many schedules are refused', async () => {
  const { store, schedules, boss } = await office()
  await expect(schedules.add(boss, { ...DAILY, recipient: 'a@b.hr, c@d.hr' })).rejects.toMatchObject({ param: 'to' })
  const reader = { ...boss, scopes: ['invoices:read', 'fleet:read'] }
  await expect(schedules.add(reader, DAILY)).rejects.toMatchObject({ code: 'insufficient_scope' })
  const { id } = await schedules.add(boss, DAILY)
  await expect(schedules.remove(reader, id)).rejects.toMatchObject({ code: 'insufficient_scope' })
  for (let n = 1; n < SCHEDULE_BOUNDS.schedules.most; n++) {
    await store.closingSchedules.insert({ ...(await schedules.get(boss, id)).schedule, id: randomUUID() })
  }
  await expect(schedules.add(boss, DAILY)).rejects.toMatchObject({ status: 409, reason: 'schedules_too_many' })
  await schedules.remove(boss, id)
  await schedules.add(boss, DAILY)
  expect(await schedules.list(boss)).toHaveLength(SCHEDULE_BOUNDS.schedules.most)
})
