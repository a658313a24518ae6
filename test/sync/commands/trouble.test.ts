import { cp, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { expect, onTestFinished, test } from 'vitest'
import { type Commanded, startCommanded, until } from '../../support/commanded.ts'
import { runDaemon } from '../../support/daemon-process.ts'
import { tempDir } from '../../support/temp-dir.ts'

/** A sale that got no answer, of which the server knows. */
async function openSale({ kiosk, server }: Commanded): Promise<string> {
  await kiosk.cis.goDown()
  const { id } = await kiosk.sell()
  await kiosk.cis.comeBack()
  await until(
    () => server.admin(`/v1/invoices/${id}`),
    ({ status }) => status === 200,
  )
  return id
}

function receivedAt(dataDir: string): { id: string; status: string }[] {
  const database = new Database(join(dataDir, 'fiskd.db'), { readonly: true })
  try {
    return database.prepare('SELECT id, status FROM received_commands ORDER BY number').all() as never
  } finally {
    database.close()
  }
}

test('a gateway that is killed while it does a command says so when it is back, and does not do it again', async () => {
  const commanded = await startCommanded()
  const { kiosk, send, command, answered } = commanded
  const invoice_id = await openSale(commanded)
  kiosk.cis.always('timeout')
  const process = await runDaemon(kiosk, onTestFinished)
  const { id } = await send('invoice.retry', { invoice_id })
  await until(
    async () => receivedAt(kiosk.dataDir),
    ([first]) => first?.status === 'begun',
  )
  process.signal('SIGKILL')
  await process.ended
  expect((await command(id)).status).toBe('waiting')
  kiosk.cis.always(null)
  await kiosk.restart()

  expect(await answered(id)).toMatchObject({ status: 'interrupted', result: { error: { code: 'interrupted' } } })
  expect(receivedAt(kiosk.dataDir)).toEqual([{ id, status: 'interrupted' }])
  const { data } = (await kiosk.admin<{ data: { action: string }[] }>('/admin/audit')).body
  expect(data.filter(({ action }) => action === 'command.taken')).toHaveLength(1)
}, 60_000)

test('a result that was lost on the line is told again, and the command is not done again', async () => {
  const commanded = await startCommanded()
  const { kiosk, link, send, command, answered } = commanded
  const invoice_id = await openSale(commanded)
  kiosk.cis.misbehave({ delayMs: 1000 })
  const { id } = await send('invoice.retry', { invoice_id })
  await until(
    () => command(id),
    ({ sent_at }) => sent_at !== null,
  )
  link.goDown()
  await until(
    () => kiosk.invoice(invoice_id),
    ({ status }) => status === 'confirmed',
  )
  const messages = (await kiosk.invoice(invoice_id)).messages.length
  expect((await command(id)).status).toBe('waiting')
  link.comeBack()
  expect(await answered(id)).toMatchObject({ status: 'done', result: { status: 'confirmed' } })
  expect((await kiosk.invoice(invoice_id)).messages).toHaveLength(messages)
}, 60_000)

test('a server that was restored from an old backup goes on commanding, and nothing is done twice', async () => {
  const { server, kiosk, link, send, answered, done } = await startCommanded()
  const device_id = kiosk.deviceId
  expect(await done('doctor')).toMatchObject({ number: 1, status: 'done' })
  link.goDown()
  const early = await send('device.change', { device_id, label: 'early' })
  expect(early.number).toBe(2)
  await server.stop()
  const backup = await tempDir()
  await copyDatabase(server.dataDir, backup)
  await server.restart()
  link.comeBack()
  expect(await answered(early.id)).toMatchObject({ status: 'done' })
  expect(await done('device.change', { device_id, label: 'late' })).toMatchObject({ number: 3, status: 'done' })

  await server.stop()
  await copyDatabase(backup, server.dataDir)
  await server.restart()
  const next = await send('device.set_isu', { device_id, isu_number: '4712' })
  expect(next.number).toBe(3)
  expect(await answered(next.id)).toMatchObject({ status: 'done', number: 5 })
  expect(await answered(early.id)).toMatchObject({ status: 'done', number: 4, result: { label: 'early' } })
  const { data } = (await kiosk.admin<{ data: object[] }>(`/admin/devices?ref=${device_id}`)).body
  expect(data).toMatchObject([{ label: 'late', isu_number: '4712' }])
}, 60_000)

async function copyDatabase(from: string, to: string): Promise<void> {
  const isDatabase = (name: string) => name.startsWith('fiskd.db')
  for (const name of (await readdir(to)).filter(isDatabase)) await rm(join(to, name))
  for (const name of (await readdir(from)).filter(isDatabase)) await cp(join(from, name), join(to, name))
}
