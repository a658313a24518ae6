import Database from 'better-sqlite3'
import { expect, test } from 'vitest'
import { startCentral, syncOf, told } from '../../support/central-server.ts'
import {
  type Body,
  type Change,
  type ChangingBalancer,
  startChangingBalancer,
} from '../../support/changing-balancer.ts'
import { diagnose } from '../../support/diagnosis.ts'
import { fisk } from '../../support/fisk.ts'
import { type Gateway, startGateway } from '../../support/gateway.ts'

const TWENTY_NINES = '9'.repeat(20)

interface Told {
  premises_code: string
  highest: string
}
interface Doubtful {
  doubtful_numbers: (Told & { known: string | null; doubt: string })[]
}

/** A gateway that has sold one receipt, and a balancer that may say what it likes. */
async function startTold(prepare: (balancer: ChangingBalancer) => void = () => {}) {
  const central = await startCentral()
  const balancer = await startChangingBalancer(central.server)
  prepare(balancer)
  const gateway = await startGateway()
  const body = { url: balancer.url, token: await central.token('kiosk') }
  const enrolled = await gateway.admin('/admin/sync/enroll', { body })
  if (enrolled.status !== 200) throw new Error(enrolled.text)
  expect((await gateway.sell()).number).toBe('1')
  await told(gateway)
  return { ...central, balancer, gateway }
}

const withHighest = (answer: Body, highest: string) => ({
  ...answer,
  numbers: (answer.numbers as Told[]).map((one) => ({ ...one, highest })),
})
const tells =
  (highest: string): Change =>
  (answer) =>
    withHighest(answer, highest)
const unsigned = (answer: Body): Body => ({ ...answer, numbers_signature: 'AAAA' })

/** Has the gateway say hello, and waits until it was answered. */
async function greet(gateway: Gateway): Promise<Doubtful['doubtful_numbers']> {
  await gateway.admin('/admin/sync/now', { method: 'POST' })
  await told(gateway)
  return (await gateway.admin<Doubtful>('/admin/sync')).body.doubtful_numbers
}

/** What the server knows of a premises, whoever brought it there. */
function setServerNumbers({ database }: Gateway, highest: string): void {
  const db = new Database(database)
  try {
    db.prepare('UPDATE sequences SET highest = ?').run(highest)
  } finally {
    db.close()
  }
}

test('a hello answer with a number of twenty nines poisons nothing, and everybody is told', async () => {
  const { balancer, gateway } = await startTold()
  balancer.change('/hello', tells(TWENTY_NINES))
  expect(await greet(gateway)).toMatchObject([
    { premises_code: 'POSL1', highest: TWENTY_NINES, known: '1', doubt: 'unsigned' },
  ])

  expect((await gateway.sell()).number).toBe('2')
  const status = await fisk(['sync', 'status'], { socket: gateway.socketPath })
  expect(status).toMatchObject({ code: 1, stdout: expect.stringContaining('fisk sync confirm-numbers') })
  const check = (await diagnose(gateway)).find(({ name }) => name === 'numbers the central server told')
  expect(check?.status).toBe('warn')
  await gateway.watch()
  const alerts = () => gateway.admin<{ data: object[] }>('/admin/alerts?state=open&kind=numbers_doubtful')
  expect((await alerts()).body.data).toMatchObject([
    { kind: 'numbers_doubtful', severity: 'warning', detail: { premises: 'POSL1', number: TWENTY_NINES } },
  ])

  balancer.change('/hello', null)
  expect(await greet(gateway)).toEqual([])
  await gateway.watch()
  expect((await alerts()).body.data).toEqual([])
  expect((await gateway.sell()).number).toBe('3')
})

test('a number that is within reach is not believed either without the signature of the server', async () => {
  const { balancer, gateway } = await startTold()
  for (const change of [tells('900'), (answer: Body) => unsigned(withHighest(answer, '900'))]) {
    balancer.change('/hello', change)
    expect(await greet(gateway)).toMatchObject([{ highest: '900', doubt: 'unsigned' }])
  }
  expect((await gateway.sell()).number).toBe('2')
})

test('an answer that was signed for an earlier hello is not believed again', async () => {
  const { balancer, gateway, server } = await startTold()
  setServerNumbers(server, '700')
  let kept: Body = {}
  balancer.change('/hello', (answer) => {
    kept = { numbers: answer.numbers, numbers_signature: answer.numbers_signature }
    // What is kept back now is to be played later.
    return { ...answer, numbers: [], numbers_signature: answer.numbers_signature }
  })
  expect(await greet(gateway)).toEqual([])
  balancer.change('/hello', (answer) => ({ ...answer, ...kept }))
  expect(await greet(gateway)).toMatchObject([{ highest: '700', doubt: 'unsigned' }])
  expect((await gateway.sell()).number).toBe('2')
  balancer.change('/hello', null)
  expect(await greet(gateway)).toEqual([])
  expect((await gateway.sell()).number).toBe('701')
})

test('a server that signs a number out of reach is not believed until somebody confirms it', async () => {
  const { gateway, server } = await startTold()
  setServerNumbers(server, '500000000')
  expect(await greet(gateway)).toMatchObject([{ highest: '500000000', known: '1', doubt: 'out_of_reach' }])
  expect((await gateway.sell()).number).toBe('2')
  const around = { socket: gateway.socketPath }
  expect((await fisk(['sync', 'confirm-numbers'], around)).code).toBe(2)

  const confirmed = await fisk(['sync', 'confirm-numbers', '--yes'], around)
  expect(confirmed).toMatchObject({ code: 0, stdout: expect.stringContaining('500000000; here 2; far above it') })
  expect((await gateway.sell()).number).toBe('500000001')
  expect((await syncOf(gateway)) as unknown as Doubtful).toMatchObject({ doubtful_numbers: [] })
  const { data } = (await gateway.admin<{ data: { action: string; detail: object }[] }>('/admin/audit')).body
  expect(data.find(({ action }) => action === 'numbers.confirmed')?.detail).toMatchObject({
    numbers: [{ premises_code: 'POSL1', from: '2', to: '500000000' }],
  })
  expect((await fisk(['sync', 'confirm-numbers', '--yes'], around)).stdout).toContain('nothing to confirm')
})

test('a number that would leave none to sell with is not confirmed, nor one that is told no more', async () => {
  const { gateway, server } = await startTold()
  setServerNumbers(server, TWENTY_NINES)
  const [doubtful] = await greet(gateway)
  const confirm = (changes: object) => {
    const { known: _known, doubt: _doubt, ...number } = { ...doubtful, ...changes } as Doubtful['doubtful_numbers'][0]
    return gateway.admin('/admin/sync/confirm-numbers', { body: { numbers: [number] } })
  }
  expect((await confirm({})).status).toBe(409)
  expect((await confirm({ highest: '500' })).status).toBe(409)
  expect((await gateway.sell()).number).toBe('2')
})

test('a new card is not poisoned by what it is told as it enrols, before its company is there or after', async () => {
  const { central, balancer, card } = await startNewCard()
  balancer.change('/enroll', tells(TWENTY_NINES))
  balancer.change('/hello', tells(TWENTY_NINES))
  const body = { url: balancer.url, token: await central.token('kiosk', { again: true }) }
  expect((await card.admin('/admin/sync/enroll', { body })).status).toBe(200)
  expect(await greet(card)).toMatchObject([{ highest: TWENTY_NINES, doubt: 'unsigned' }])
  expect((await card.sell()).number).toBe('1')
})

async function startNewCard() {
  const { gateway, balancer, ...central } = await startTold()
  await gateway.stop()
  return { central, balancer, card: await startGateway() }
}
