import { setTimeout } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { startEnrolled, told } from '../support/central-server.ts'
import { dashboardOf } from '../support/dashboard.ts'
import { inDatabase } from '../support/database.ts'
import { fisk } from '../support/fisk.ts'

async function startSilent() {
  const { server, gateway, seen } = await startEnrolled()
  await told(gateway)
  await gateway.stop()
  // What it has sent last may still be on its way.
  const makeSilent = async () => {
    await inDatabase(
      server,
      `UPDATE gateways SET last_seen_at = ${Date.now() - 3_600_000}, enrolled_at = ${Date.now() - 3_600_000}`,
    )
    await setTimeout(500)
    return (await seen('kiosk')).state
  }
  await expect.poll(makeSilent).toBe('silent')
  const office = dashboardOf(server)
  const device = `/dashboard/devices/${gateway.deviceId}`
  const commands = async () =>
    (await server.admin<{ data: { id: string; type: string; status: string }[] }>('/admin/gateways/kiosk/commands'))
      .body.data
  return { server, gateway, office, device, commands, clerk: await office.as('operator') }
}

test('an ISU number for a silent gateway waits for it: nothing looks done, and the number stays in its field', async () => {
  const { server, device, commands, clerk } = await startSilent()
  await inDatabase(server, "UPDATE devices SET isu_number = NULL, isu_status = 'pending'")
  for (let click = 0; click < 4; click++) {
    const sent = await clerk.submit(device, { isu_number: '12345' }, `${device}/isu`)
    expect(sent.status).toBe(303)
    const page = await clerk.get(sent.to ?? '')
    expect(page.words).toMatch(
      /ISU broj 12345: naredba od \d+\. \d+\. \d{4}\. u \d+:\d\d čeka da je preuzme pristupnik kiosk\./,
    )
    expect(page.words).toMatch(/Pristupnik se ne javlja od \d+\. \d+\. \d{4}\. u \d+:\d\d\./)
    expect(page.words).toContain('naredba istječe i ništa se ne mijenja')
    expect(page.text).not.toContain('notice ok')
    expect(page.text).toMatch(/name="isu_number"[^>]*value="12345"/)
  }
  expect(await commands()).toHaveLength(1)
  const tasks = await clerk.get('/dashboard/devices/isu')
  expect(tasks.text).toMatch(/name="isu_number" value="12345"/)
  expect(tasks.words).toContain('čeka da je preuzme pristupnik kiosk')
  expect((await clerk.get('/dashboard/gateways/kiosk')).words).toContain('čeka da je preuzme pristupnik kiosk')
})

test('another number replaces one that was not fetched, which says so, and reaches the gateway when it is back', async () => {
  const { gateway, device, commands, clerk } = await startSilent()
  await clerk.submit(device, { isu_number: '111' }, `${device}/isu`)
  const [wrong] = await commands()
  const sent = await clerk.submit(device, { isu_number: '222' }, `${device}/isu`)
  expect((await commands()).map(({ status }) => status)).toEqual(['waiting', 'withdrawn'])
  const replaced = await clerk.get(`/dashboard/gateways/kiosk/commands/${wrong?.id}`)
  expect(replaced.words).toContain('prije toga zamijenila ju je novija')
  await gateway.restart()
  const page = async () => (await clerk.get(sent.to ?? '')).words
  await expect.poll(page, { timeout: 20_000 }).toContain('ISU broj 222, pristupnik kiosk: obavljeno.')
  const { body } = await gateway.admin<{ data: { isu_number: string }[] }>(`/admin/devices?ref=${gateway.deviceId}`)
  expect(body.data[0]?.isu_number).toBe('222')
})

test('a second change of the settings of a silent gateway adds to the first, and one that overlooks it is refused', async () => {
  const { device, commands, clerk } = await startSilent()
  const early = await clerk.get(`${device}/settings`)
  await clerk.submit(`${device}/settings`, { 'set-payment_method': 'K' })
  const late = await clerk.post(`${device}/settings`, {
    ...early.hidden(`${device}/settings`),
    'set-payment_method': 'G',
  })
  expect(late.status).toBe(422)
  const second = await clerk.get(`${device}/settings`)
  expect(second.words).toContain('Izmjena postavki uređaja: naredba od')
  expect(second.hidden(`${device}/settings`).seen).toBe('{"deviceConfig":{"payment_method":"K"}}')
  expect(await commands()).toHaveLength(1)
})

test('a sale that its silent gateway is to send again waits on its page, and a notice of what failed is not green', async () => {
  const { server, gateway } = await startEnrolled()
  await gateway.cis.goDown()
  const sold = await gateway.sell()
  await told(gateway)
  await gateway.stop()
  const clerk = await dashboardOf(server).as('operator', { language: 'en' })
  const page = `/dashboard/invoices/${sold.id}`
  const sent = await clerk.submit(page, {}, `${page}/retry`)
  expect((await clerk.get(sent.to ?? '')).words).toContain('Waiting for gateway kiosk since')
  await server.admin('/admin/gateways/kiosk/revoke', { method: 'POST', body: {} })
  const refused = await clerk.submit(page, {}, `${page}/copy`)
  expect((await clerk.get(refused.to ?? '')).text).toMatch(/<p class="notice warn" role="status">No command was sent/)
})

test('fisk says that a command waits, for whom, until when, and that the same one is not queued twice', async () => {
  const { server } = await startSilent()
  const send = (number: string) =>
    fisk(['gateway', 'send', 'kiosk', 'isu', '--device', 'machine', '--isu', number, '--yes', '--no-wait'], {
      socket: server.socketPath,
    })
  const first = (await send('12345')).stdout.replace(/\s+/g, ' ')
  expect(first).toMatch(/kiosk is silent since .* It is not done yet, and expires on /)
  expect((await send('12345')).stdout.replace(/\s+/g, ' ')).toContain('nothing was queued a second time')
  expect((await send('54321')).stdout).toContain('It replaces what was not fetched yet')
})
