import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { startEnrolled, told } from '../support/central-server.ts'
import { dashboardOf, startDashboard, type Visitor } from '../support/dashboard.ts'
import { fisk } from '../support/fisk.ts'
import { hoursAt } from '../support/hours-cases.ts'
import { PATIENCE_MS } from '../support/patience.ts'

const { date } = hoursAt(new Intl.DateTimeFormat('sv-SE', { timeZone: 'Europe/Zagreb' }).format(Date.now()))
const FORM = { from: date(1), hours: 'pon-pet 08:00-20:00', note: '', exceptions: `${date(24)} 08:00-12:00` }

/** Fills in the form, and says yes to the question. */
async function register(clerk: Visitor, page: string, fields: Record<string, string>) {
  const question = await clerk.submit(page, fields, `${page}/ask`)
  if (question.status !== 200) return { question: question.words, sent: question }
  return { question: question.words, sent: await clerk.post(page, question.hidden(page)) }
}

test('the page of a device registers hours after a question, shows what the authority has, and deletes', async () => {
  const office = await startDashboard()
  const page = `/dashboard/devices/${office.deviceId}/hours`
  const clerk = await office.as('operator')
  expect((await clerk.get(`/dashboard/devices/${office.deviceId}`)).text).toContain(page)
  const { question, sent } = await register(clerk, page, FORM)
  expect(question).toContain('poslovni prostor POSL1: prijaviti Poreznoj upravi')
  expect(question).toContain(`${date(1)}: pon-pet 08:00-20:00; ${date(24)}: 08:00-12:00`)
  expect(sent).toMatchObject({ status: 303, to: page })
  expect((await clerk.get(page)).words).toMatch(/provedeno .*uspješno prijavljeno/)
  const has = await clerk.submit(page, {}, `${page}/show`)
  expect(has.words).toContain(`${date(1)}: pon-pet 08:00-20:00`)
  const [form] = [await clerk.get(page)]
  const asked = await clerk.post(`${page}/ask`, {
    ...form.hidden(`${page}/ask`),
    what: 'remove',
    regular: date(1),
    exceptions: '',
  })
  expect(asked.words).toContain(`obrisati kod Porezne uprave radno vrijeme za ${date(1)}`)
  expect(await clerk.post(page, asked.hidden(page))).toMatchObject({ status: 303 })
  expect(office.cis.requested.map(({ code }) => code)).toEqual(['p003', '', 'p004'])
})

test('what the authority would refuse is told before the question, with what was typed', async () => {
  const office = await startDashboard()
  const page = `/dashboard/devices/${office.deviceId}/hours`
  const clerk = await office.as('operator')
  const late = await register(clerk, page, { ...FORM, from: date(45) })
  expect(late.sent.status).toBe(422)
  expect(late.question).toContain('s103: redovno radno vrijeme mora početi najranije sutra')
  expect(late.sent.text).toContain(`value="${date(45)}"`)
  expect((await register(clerk, page, { ...FORM, hours: 'uvijek' })).question).toContain('Radno vrijeme pišite kao')
  expect(office.cis.requested).toEqual([])
  expect((await (await office.as('viewer')).get(page)).status).toBe(403)
})

test('at a server hours of a machine, and of many by a file, go to its gateway', {
  timeout: 4 * PATIENCE_MS,
}, async () => {
  const { server, gateway } = await startEnrolled()
  await told(gateway)
  const clerk = await dashboardOf(server).as('operator')
  const page = `/dashboard/devices/${gateway.deviceId}/hours`
  const { sent } = await register(clerk, page, FORM)
  expect(sent.to).toContain(`${page}?sent=`)
  await expect.poll(() => gateway.cis.requested.map(({ code }) => code)).toEqual(['p003'])
  await expect.poll(async () => (await clerk.get(page)).words).toMatch(/provedeno .*uspješno prijavljeno/)

  const file = new Blob(
    [
      ['naziv;od;radno vrijeme', `machine;${date(8)};svakodnevno 00:00-24:00`, `Nema;${date(8)};po dogovoru`].join(
        '\n',
      ),
    ],
    { type: 'text/csv' },
  )
  const run = async () => {
    const preview = await clerk.submit('/dashboard/jobs/hours', { file }, '/dashboard/jobs/hours/preview')
    expect(preview.words).toContain('Ispravnih redaka: 1. Pogrešnih: 1.')
    const job = await clerk.post('/dashboard/jobs/hours', preview.hidden('/dashboard/jobs/hours'))
    const state = async () => (await clerk.get(job.to ?? '')).words
    await expect.poll(state, { timeout: PATIENCE_MS }).toContain('Obrađeno 1 od 1.')
    return state()
  }
  await run()
  expect(gateway.cis.requested.map(({ code }) => code)).toEqual(['p003', 'p003'])
  // The same hours again are no fault.
  expect(await run()).toContain('Već je bilo tako 1')
})

test('fisk hours sets, shows and removes hours, of a machine, a premises and a file', async () => {
  const office = await startDashboard()
  const run = (...argv: string[]) => fisk(['hours', ...argv], { socket: office.socketPath })
  const company = ['--company', office.companyId, '--premises', 'POSL1']
  expect(await run('show', 'machine')).toMatchObject({ code: 1, stdout: expect.stringContaining('s110') })
  expect(await run('set', 'machine', '--from', date(1), '--hours', 'daily 00:00-24:00')).toMatchObject({ code: 0 })
  expect(await run('set', ...company, '--exception', `${date(24)} 08:00-12:00`)).toMatchObject({ code: 0 })
  const shown = await run('show', ...company)
  expect(shown.stdout.trim()).toBe(`${date(1)}: daily 00:00-24:00\n${date(24)}: 08:00-12:00`)
  expect(await run('remove', 'machine', '--from', date(1), '--exception', date(24))).toMatchObject({ code: 0 })
  expect(await run('set', 'machine', '--from', date(45), '--hours', 'daily 00:00-24:00')).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('s103'),
  })
  expect(await run('set', 'machine', '--from', date(1))).toMatchObject({ code: 2 })
  expect(await run('show')).toMatchObject({ code: 2 })
  const path = join(office.dataDir, 'hours.csv')
  await writeFile(path, `label;from;hours\nmachine;${date(2)};by arrangement\n`)
  expect(await run('set', '--file', path)).toMatchObject({ code: 0, stdout: expect.stringMatching(/done +1/) })
  expect(await run('set', '--file', path)).toMatchObject({ code: 0, stdout: expect.stringMatching(/unchanged +1/) })
})
