import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { texts } from '../../../src/dashboard/jobs/texts.ts'
import { reasonOf } from '../../../src/dashboard/jobs/view.ts'
import { addGateway } from '../../../src/fiscal/gateways/gateways.ts'
import { sendCommand } from '../../../src/fiscal/gateways/queue-commands.ts'
import { type RunDeps, runJobs } from '../../../src/fiscal/jobs/run-jobs.ts'
import type { CommandOutcome } from '../../../src/fiscal/ports/gateway-commands.ts'
import { JOB_ROW_STATES } from '../../../src/fiscal/ports/jobs.ts'
import type { JsonObject } from '../../../src/fiscal/ports/model.ts'
import { OPERATOR } from '../../support/people.ts'
import { freshStore, openShop } from '../../support/shop.ts'

const NOW = 1_800_000_000_000

/** A machine of a gateway whose row here never changes: what the gateway tells of it is still on its way. */
async function startMachine() {
  const store = await freshStore()
  const clock = { now: () => NOW, proven: () => NOW }
  const deps = { store, clock, newUuid: randomUUID, caHash: async () => Buffer.alloc(32), onCommand: () => {} }
  const { gateway } = await addGateway(deps as never, OPERATOR, { name: 'kiosk', again: false })
  await store.gateways.update(gateway.id, { publicKey: 'key', credentialHash: 'hash' })
  const { deviceId } = await openShop(store, { gatewayId: gateway.id })
  const running = {
    ...{ store, clock, lease: { hold: async () => true }, principalOf: async () => OPERATOR, useCases: {} },
    sendCommand: (...[by, to, command, keep]: Parameters<RunDeps['sendCommand']>) =>
      sendCommand(deps as never, by, to, command as never, keep),
  } as never
  const pass = () => runJobs(running, new AbortController().signal)

  /** Asks for a setting. @returns what the gateway is sent, and what becomes of the row by its answer */
  return async function ask(parameters: JsonObject) {
    const id = randomUUID()
    const job = { kind: 'settings' as const, parameters, createdBy: 'user', createdAt: NOW, endedAt: null, total: 1 }
    const row = { subjectId: deviceId, label: 'Aparat', input: null, was: null, gatewayId: gateway.id }
    await store.transaction((tx) => tx.jobs.insert({ id, tenantId: OPERATOR.tenantId, ...job }, [row]))
    await pass()
    const [command] = await store.gatewayCommands.waiting(gateway.id, 2)
    return {
      command,
      async answered(status: CommandOutcome, result: JsonObject) {
        await store.gatewayCommands.answer(command?.id ?? '', { status, answeredAt: NOW, result })
        await pass()
        return (await store.jobs.rows(id, JOB_ROW_STATES, 0, 1))[0]
      },
    }
  }
}

test('a gateway is told one setting, never those that its server believes to be the others', async () => {
  const ask = await startMachine()
  const footer = await ask({ setting: 'receipt.footer', value: ['F'] })
  expect(await footer.answered('done', { unchanged: false })).toMatchObject({ state: 'done' })
  const header = await ask({ setting: 'receipt.header', value: ['H'] })
  expect(header.command).toMatchObject({ type: 'device.set_setting' })
  const { device_id, ...said } = header.command?.body ?? {}
  expect(said).toEqual({ setting: 'receipt.header', value: ['H'] })
  expect(await header.answered('done', { unchanged: false })).toMatchObject({ state: 'done' })
})

test('the gateway, not an old row of its machine, says that it was so already', async () => {
  const ask = await startMachine()
  // As the row here has it, but the gateway may have been told otherwise meanwhile.
  const none = await ask({ setting: 'receipt.footer' })
  expect(none.command?.body).toMatchObject({ setting: 'receipt.footer' })
  expect(await none.answered('done', { unchanged: true })).toMatchObject({ state: 'unchanged' })
})

test('a gateway of an older program is to be upgraded', async () => {
  const ask = await startMachine()
  const asked = await ask({ setting: 'receipt.footer', value: ['F'] })
  const error = { code: 'command_unknown', message: 'this version knows no such command', param: null }
  const row = await asked.answered('refused', { error })
  expect(row).toMatchObject({ state: 'refused', refusal: { code: 'command', reason: 'command_unknown' } })
  if (!row?.refusal) throw new Error('there is no refusal')
  expect(reasonOf(row.refusal, texts.hr, 'hr')).toContain('Nadogradite ga')
  expect(reasonOf(row.refusal, texts.en, 'en')).toContain('Upgrade it')
})
