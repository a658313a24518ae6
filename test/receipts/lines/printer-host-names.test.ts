import type { LookupAddress } from 'node:dns'
import { createServer } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { createNames, openTcpLine } from '../../../src/receipts/lines/tcp-line.ts'

const LOOPBACK = [{ address: '127.0.0.1', family: 4 }]

/** A name service that answers when the test says so. */
function slowNames() {
  const asked: { name: string; answer: (addresses: LookupAddress[]) => void; refuse: (error: Error) => void }[] = []
  const lookup = createNames((name) => new Promise((answer, refuse) => asked.push({ name, answer, refuse })), 1000)
  const find = (name: string) =>
    new Promise((resolve) => lookup(name, { all: true }, (error, addresses) => resolve(error ?? addresses)))
  const names = () => asked.map(({ name }) => name)
  const isAsked = (...wanted: string[]) => expect.poll(names, { interval: 5 }).toEqual(wanted)
  return { asked, names, isAsked, lookup, find }
}

async function listening(): Promise<number> {
  const server = createServer((socket) => socket.on('error', () => {})).listen(0, '127.0.0.1')
  onTestFinished(() => void server.close())
  await expect.poll(() => server.listening).toBe(true)
  return (server.address() as { port: number }).port
}

test('names that nobody answers for are asked for one after another, however often somebody gives up', async () => {
  const { asked, isAsked, names, lookup } = slowNames()
  const attempts = ['kiosk-1', 'kiosk-2', 'kiosk-3', 'kiosk-1', 'kiosk-2', 'kiosk-3']
  for (const name of attempts) {
    await expect(openTcpLine(name, 9100, 10, lookup)).rejects.toMatchObject({ code: 'unreachable' })
  }
  expect(names()).toEqual(['kiosk-1'])
  asked[0]?.refuse(new Error('EAI_AGAIN'))
  await isAsked('kiosk-1', 'kiosk-2')
})

test('all who ask for a name get one answer, also who asks soon after', async () => {
  const { asked, names, isAsked, find } = slowNames()
  const both = [find('kiosk'), find('kiosk')]
  await isAsked('kiosk')
  asked[0]?.answer(LOOPBACK)
  expect(await Promise.all([...both, find('kiosk')])).toEqual([LOOPBACK, LOOPBACK, LOOPBACK])
  expect(names()).toEqual(['kiosk'])
})

test('a name that was refused is asked for again', async () => {
  const { asked, isAsked, find } = slowNames()
  const first = find('kiosk')
  await isAsked('kiosk')
  asked[0]?.refuse(new Error('ENOTFOUND'))
  expect(await first).toMatchObject({ message: 'ENOTFOUND' })
  void find('kiosk')
  await isAsked('kiosk', 'kiosk')
})

test('a printer is found by its name, and one by its address without asking', async () => {
  const port = await listening()
  const { asked, isAsked, names, lookup } = slowNames()
  const opening = openTcpLine('kiosk', port, 5000, lookup)
  await isAsked('kiosk')
  await (await openTcpLine('127.0.0.1', port, 5000, lookup)).close()
  expect(names()).toEqual(['kiosk'])
  asked[0]?.answer(LOOPBACK)
  await (await opening).close()
})
