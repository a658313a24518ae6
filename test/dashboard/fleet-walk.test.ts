import { readFile } from 'node:fs/promises'
import type { Locator, Page } from 'playwright-core'
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { clockTime, croatianDate, dateAt } from '../../src/domain/calendar-date.ts'
import { DAY_MS } from '../../src/domain/instant.ts'
import { openBrowser } from '../support/browser.ts'
import { dashboardOf } from '../support/dashboard.ts'
import { inDatabase } from '../support/database.ts'
import { eventually } from '../support/eventually.ts'
import { atTheEndOfFile } from '../support/file-end.ts'
import type { Gateway } from '../support/gateway.ts'
import { finger, type Hands, keyboard, mouse } from '../support/hands.ts'
import { type MailServer, startMailServer } from '../support/mail-server.ts'
import { CLINIC, type OfficeFleet, startOffice, storeOfficeFleet } from '../support/office-fleet.ts'
import { pki } from '../support/pki.ts'
import { makeTempDir } from '../support/temp-dir.ts'
import { skipWithout } from '../support/tools.ts'
import { signInAs } from '../support/walker.ts'
import { readWorkbook } from '../support/workbook.ts'

/** What a job works with: the fleet, and the hands of a user who begins at the overview. */
interface Walk {
  fleet: OfficeFleet
  others: Awaited<ReturnType<typeof workOfOthers>>
  mail: MailServer
  page: Page
  main: Locator
  hands: Hands
  /** What the page says, in one line. */
  read(): Promise<string>
  /** One click, tap or press of a key. */
  press(target: Locator): Promise<void>
  /** The same, until what it leads to has been loaded. */
  follow(target: Locator): Promise<void>
  /** Sends what was written, by the key of the keyboard or of the phone. */
  enter(): Promise<void>
  /** A page of the menu; on a phone the menu is opened first. */
  go(name: string): Promise<void>
  /** Searches in the head of the page. */
  find(text: string): Promise<void>
  /** All rows of a list; on a phone, which has no head of a table, by the first one and "all". */
  chooseAll(): Promise<void>
  download(target: Locator): Promise<Buffer>
  tick(name: string | RegExp): Promise<void>
  write(label: string | RegExp, text: string): Promise<void>
  link(name: string | RegExp): Locator
  button(name: string | RegExp): Locator
  summary(name: string | RegExp): Locator
  /** Presses the button, and the one of the question that it asks. */
  confirm(name: RegExp): Promise<void>
  rows(statement: string): Promise<Record<string, unknown>[]>
}

/** What an office is asked in a day, with the clicks at a desk and on a phone, where the menu is opened by one more. */
const JOBS: { job: string; desk: number; phone: number; walk(walk: Walk): Promise<void> }[] = [
  {
    ...{ job: 'which machines do not sell, and why', desk: 1, phone: 1 },
    async walk({ fleet, main, follow, link, read }) {
      await follow(link(/ne zarađuj/))
      const suspended = fleet.machines.filter(({ device }) => device.status === 'suspended')
      const groups = { stao: fleet.stopped, 'bez ispravnog ISU broja': fleet.lacking, obustavljen: suspended }
      const said = await read()
      const named = new Set(await main.getByRole('rowheader').getByRole('link').allInnerTexts())
      for (const [reason, machines] of Object.entries({ ...groups, 'nije poznato': fleet.unknown })) {
        expect(said).toContain(`${reason}: ${machines.length}`)
        expect(machines.filter((one) => named.has(labelOf(one))).length, reason).toBe(Math.min(machines.length, 50))
      }
      expect(said).toMatch(/Propušteno oko \d/)
    },
  },
  {
    ...{ job: 'the money of last month by company, for Excel', desk: 3, phone: 4 },
    async walk({ fleet, main, hands, download, follow, go, link, button }) {
      await go('Izvoz')
      await follow(link('Prošli mjesec'))
      await hands.choose(main.getByLabel('Po čemu'), 'po mjesecima, cijela tvrtka')
      const rows = (await readWorkbook(await download(button('Preuzmi datoteku')))).Promet ?? []
      const totals = rows.filter(({ A, B }) => A?.text === 'Ukupno' && B !== undefined)
      const sums = totals.map(({ B, H }) => [B?.text, Math.round(Number(H?.number) * 100)] as const)
      expect(new Map(sums)).toEqual(fleet.lastMonth)
    },
  },
  {
    ...{ job: 'a receipt found by amount and time, its PDF sent', desk: 4, phone: 4 },
    async walk({ fleet, mail, main, find, press, follow, link, button, write }) {
      await find('7,30')
      await follow(link(/7,30/))
      const time = clockTime(fleet.sought.at).slice(0, 5).replace(/^0/, '')
      await follow(
        main
          .locator('tbody tr')
          .filter({ hasText: ` ${time}` })
          .getByRole('link'),
      )
      const before = mail.mails.length
      await write(/adres/i, 'kupac@example.hr')
      await press(button(/^Pošalji/))
      await eventually(() => expect(mail.mails.length).toBe(before + 1))
      expect(mail.mails.at(-1)?.attachments.map(({ filename }) => filename)).toEqual([
        `Racun-${fleet.sought.number.replaceAll('/', '-')}.pdf`,
      ])
    },
  },
  {
    ...{ job: 'forty ISU numbers: the file of the machines that lack them comes back filled in', desk: 7, phone: 7 },
    async walk({ main, press, download, follow, link, button, summary, read, rows }) {
      await follow(link(/^Uređaji bez ispravnog ISU broja/))
      await press(summary('Više'))
      const list = (await download(link('Preuzmi popis, CSV'))).toString().trim().split('\r\n')
      const [heads, ...lines] = list.map((line) => line.replace('\uFEFF', '').split(';'))
      const column = heads?.indexOf('ISU broj') ?? -1
      const filled = lines.slice(0, 40).map((line, i) => line.with(column, i < 38 ? String(900_000 + i) : '09'))
      await follow(link('Upis ISU brojeva'))
      await follow(link(/^Upiši ISU brojeve iz datoteke/))
      const buffer = Buffer.from([heads, ...filled].map((line) => line?.join(';')).join('\n'))
      await main.locator('input[type=file]').setInputFiles({ name: 'isu.csv', mimeType: 'text/csv', buffer })
      await follow(button(/^Provjeri/))
      for (const [name = ''] of filled.slice(38)) expect(await read()).toContain(name)
      await follow(button(/^Upiši 38/))
      expect(await read()).toMatch(/\d+ od 38/)
      await eventually(async () => {
        const sent = await rows("SELECT body FROM gateway_commands WHERE type = 'device.set_isu'")
        const numbers = sent.map(({ body }) => JSON.parse(String(body)).isu_number)
        expect(numbers.sort()).toEqual(filled.slice(0, 38).map((line) => line[column]))
      })
    },
  },
  {
    ...{ job: 'a certificate that ends in eleven days: the new one rolled out', desk: 2, phone: 2 },
    async walk({ fleet, main, page, follow, link, button, read, rows, write }) {
      const company = fleet.companies[1] as OfficeFleet['companies'][number]
      const gateways = new Set(
        fleet.machines.filter((one) => one.company.id === company.id).map(({ record }) => record.id),
      )
      const notAfter = new Date(Date.now() + 900 * DAY_MS)
      const { p12, passphrase } = await pki.issueCompany({ oib: company.oib, notAfter })
      await follow(link(/^Certifikat tvrtke Morski automati d\.o\.o\. istječe za 11 dana/))
      const file = { name: 'fiskal.p12', mimeType: 'application/x-pkcs12', buffer: p12 }
      await main.locator('input[type=file][name=file]').setInputFiles(file)
      await write(/^Lozinka/, passphrase)
      await follow(button('Učitaj novi certifikat'))
      expect(await main.getByRole('alert').allInnerTexts()).toEqual([])
      expect(await read()).toContain(`Na 0 od ${gateways.size} pristupnika.`)
      const sent = await rows("SELECT gateway_id FROM gateway_commands WHERE type = 'certificate.add'")
      expect(new Set(sent.map(({ gateway_id }) => gateway_id))).toEqual(gateways)
      // No gateway has it yet, so the task stays.
      await page.goto('/dashboard')
      expect(await read()).toContain('Certifikat tvrtke Morski automati d.o.o. istječe za 11 dana')
    },
  },
  {
    ...{ job: 'thirty refused invoices of one cause, all sent again', desk: 4, phone: 5 },
    async walk({ fleet, follow, link, button, chooseAll, read, rows }) {
      await follow(link(/^Računi odbijeni Porezna uprava odbila je podatke/))
      await chooseAll()
      await follow(button(/^Ponovno pošalji/))
      expect(await read()).toContain('Ponovno poslati 30 računa Poreznoj upravi?')
      await follow(button('Započni'))
      expect(await read()).toMatch(/\d+ od 30/)
      const chosen = await rows("SELECT subject_id FROM job_rows JOIN jobs ON jobs.id = job_id WHERE kind = 'retry'")
      expect(chosen.map(({ subject_id }) => subject_id).sort()).toEqual([...fleet.refused].sort())
    },
  },
  {
    ...{ job: 'read access to one company', desk: 5, phone: 6 },
    async walk({ fleet, mail, main, hands, follow, go, link, tick, confirm, rows, write }) {
      await go('Korisnici')
      await follow(link('Pozovi korisnika'))
      await write(/^E-pošta/, 'knjige@example.hr')
      await hands.choose(main.getByLabel('Uloga'), 'samo pregled: sve vidi, ništa ne mijenja')
      await tick(/^Morski automati/)
      const before = mail.mails.length
      await confirm(/^Pozovi korisnika/)
      const [made] = await rows("SELECT role, company_ids FROM users WHERE name = 'knjige@example.hr'")
      expect(made).toEqual({ role: 'viewer', company_ids: JSON.stringify([fleet.companies[1]?.id]) })
      await eventually(() => expect(mail.mails.length).toBe(before + 1))
    },
  },
  {
    ...{ job: 'twenty machines into a new group, and a new footer for the group', desk: 12, phone: 16 },
    async walk({ fleet, main, hands, enter, follow, press, go, link, button, summary, chooseAll, read, rows, write }) {
      const some = fleet.machines.filter(({ device }) => device.label.includes(CLINIC)).map(({ device }) => device.id)
      await go('Uređaji')
      await hands.write(main.getByRole('searchbox'), CLINIC)
      await enter()
      await chooseAll()
      await follow(button(/^Dodaj u skupinu/))
      await write('Naziv skupine', 'Klinike')
      await follow(button('Započni'))
      await eventually(async () => {
        const tagged = await rows("SELECT device_id FROM device_tags WHERE tag = 'Klinike'")
        expect(tagged.map(({ device_id }) => device_id).sort()).toEqual([...some].sort())
      })
      await go('Uređaji')
      await press(summary(/^Skupina/))
      await follow(link(/^Klinike/))
      await chooseAll()
      await follow(button(/^Promijeni postavku/))
      await hands.choose(main.getByLabel('Postavka'), 'Tekst ispod računa')
      await follow(button('Nastavi'))
      await write(/^Tekst ispod računa/, 'Hvala i brzo ozdravite!')
      await follow(button('Započni'))
      expect(await read()).toContain('Hvala i brzo ozdravite!')
      await eventually(async () => {
        const sent = await rows("SELECT body FROM gateway_commands WHERE type = 'device.set_setting'")
        const bodies = sent.map(({ body }) => JSON.parse(String(body)))
        expect(bodies.map(({ device_id }) => device_id).sort()).toEqual([...some].sort())
        expect(JSON.stringify(bodies[0])).toContain('Hvala i brzo ozdravite!')
      })
    },
  },
  {
    ...{ job: 'what a user changed last week', desk: 3, phone: 4 },
    async walk({ others, press, go, follow, link, summary, read }) {
      await go('Dnevnik radnji')
      await press(summary(/^Tko/))
      await follow(link(others.lastWeek.by))
      const said = await read()
      expect(said).toContain(`${others.lastWeek.day} `)
      expect(said).toContain(others.lastWeek.device)
      expect(said).toContain(others.lastWeek.contact)
      expect(said).not.toContain(others.today.contact)
    },
  },
  {
    ...{ job: 'a machine was stolen', desk: 6, phone: 6 },
    async walk({ fleet, page, find, follow, press, link, summary, confirm, read, rows }) {
      const stolen = fleet.machines.findLast(({ device }) => device.label.includes(CLINIC))
      await find(labelOf(stolen))
      await follow(link(labelOf(stolen)))
      await press(summary('Više'))
      await follow(link(/^Ukraden/))
      await confirm(/^Obustavi/)
      const said = await read()
      expect(said).toMatch(/Obustavite uređaj.* poslano/)
      expect(said).toContain(`Ključeve ima samo pristupnik ${stolen?.record.name}`)
      expect(said).toMatch(/Tajni ključ certifikata .* potpisuju još/)
      expect(said).toMatch(/Poznati gotovinski promet od prve prodaje .*: 4,50 €/)
      expect(await page.locator('a[href^="https://e-porezna"]').count()).toBe(1)
      expect(await page.locator('a[href^="/dashboard/invoices/inv_"]').count()).toBe(3)
      const sent = await rows("SELECT body FROM gateway_commands WHERE type = 'device.change'")
      expect(sent.map(({ body }) => JSON.parse(String(body)))).toMatchObject([
        { device_id: stolen?.device.id, status: 'suspended' },
      ])
    },
  },
]

const labelOf = (machine: OfficeFleet['machines'][number] | undefined) => machine?.device.label ?? ''
const HANDS = { mouse, keyboard, finger }

describe.skipIf(skipWithout('chromium', 'python3')).each([632, 5000])('an office of %i machines', (size) => {
  let fleet: OfficeFleet
  beforeAll(async () => {
    fleet = await storeOfficeFleet(size, await makeTempDir(atTheEndOfFile))
  }, 120_000)

  test.each(['mouse', 'keyboard', 'finger'] as const)(
    'does the ten jobs of its day with the %s, in few clicks',
    {
      timeout: 600_000,
    },
    async (hand) => {
      const { walk, clicks, faults } = await startWalk(fleet, hand)
      const taken: Record<string, number | string> = {}
      for (const { job, walk: go } of JOBS.filter(isWanted)) {
        await walk.page.goto('/dashboard')
        clicks.count = 0
        try {
          await go(walk)
          taken[job] = clicks.count
        } catch (error) {
          taken[job] = `${error instanceof Error ? error.message : error}\n${walk.page.url()}`
        }
      }
      expect(taken).toEqual(
        Object.fromEntries(
          JOBS.filter(isWanted).map(({ job, desk, phone }) => [job, hand === 'finger' ? phone : desk]),
        ),
      )
      expect(faults).toEqual([])
    },
  )
})

/** One of them while it is written. */
const isWanted = ({ job }: (typeof JOBS)[number]) => job.includes(process.env.FISKD_TEST_JOB ?? '')

/** A server on a copy of the fleet, for a user who has signed in; others have worked before. */
async function startWalk(fleet: OfficeFleet, hand: keyof typeof HANDS) {
  const mail = await startMailServer()
  const server = await startOffice(fleet, { FISKD_SMTP_URL: mail.url, FISKD_ALERT_FROM: 'fiskd@example.hr' })
  const others = await workOfOthers(fleet, server)
  const browser = await openBrowser(server, onTestFinished)
  const { page } = await browser.visitor({ language: 'hr', screen: hand === 'finger' ? 'phone' : 'desktop' })
  await signInAs(server, page, 'hr')

  const main = page.locator('main')
  const hands = HANDS[hand](page)
  const clicks = { count: 0 }
  const press = async (target: Locator) => {
    clicks.count++
    await hands.press(target)
  }
  const follow = async (target: Locator) => {
    await Promise.all([page.waitForEvent('load'), press(target)])
  }
  const link = (name: string | RegExp) => page.getByRole('link', { name, exact: true })
  const button = (name: string | RegExp) => main.getByRole('button', { name, exact: true })
  const summary = (name: string | RegExp) => main.locator('summary').filter({ hasText: name })
  const tick = async (name: string | RegExp) => {
    clicks.count++
    await hands.tick(main.getByRole('checkbox', { name, exact: true }))
  }
  const enter = async () => {
    clicks.count++
    await Promise.all([page.waitForEvent('load'), page.keyboard.press('Enter')])
  }
  const walk: Walk = {
    ...{ fleet, others, mail, page, main, hands, press, follow, enter, link, button, summary, tick },
    read: async () => (await main.innerText()).replace(/\s+/g, ' '),
    async go(name) {
      const entry = page
        .getByRole('navigation', { name: 'Izbornik' })
        .getByRole('link', { name: new RegExp(`^${name}( \\d|$)`) })
      if (!(await entry.isVisible())) await press(page.locator('nav summary'))
      await follow(entry)
    },
    async find(text) {
      await hands.write(page.getByRole('banner').getByRole('searchbox'), text)
      await enter()
    },
    async chooseAll() {
      if (hand !== 'finger') return tick(/^Odaberi sve/)
      await tick(/^Odaberi /)
      await tick(/^Svi s popisa/)
    },
    async download(target) {
      const [file] = await Promise.all([page.waitForEvent('download'), press(target)])
      return readFile(await file.path())
    },
    write: (label, text) => hands.write(main.getByLabel(label), text),
    async confirm(name) {
      await press(button(name))
      await follow(page.getByRole('dialog').getByRole('button', { name }))
    },
    rows: (statement) => inDatabase(server, statement),
  }
  return { walk, clicks, faults: browser.faults }
}

/** What two users did: one five days ago, one today. */
async function workOfOthers({ machines }: OfficeFleet, server: Gateway) {
  const [first, second] = machines.filter(({ device }) => device.label.includes(CLINIC))
  const office = dashboardOf(server)
  const note = async (days: number, machine: typeof first, contact: string) => {
    server.clock.aheadMs = days * DAY_MS
    const page = `/dashboard/devices/${machine?.device.id}`
    const operator = await office.as('operator')
    const { status } = await operator.submit(page, { contact, note: '' }, `${page}/note`)
    expect(status).toBe(303)
    const day = croatianDate(dateAt(Date.now() + server.clock.aheadMs))
      .replaceAll('.', '. ')
      .trim()
    return { by: operator.name, device: labelOf(machine), contact, day }
  }
  const lastWeek = await note(-5, first, 'Ivo, 091 111')
  return { lastWeek, today: await note(0, second, 'Mia, 091 222') }
}
