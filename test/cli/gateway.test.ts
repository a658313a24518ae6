import { beforeAll, expect, test } from 'vitest'
import { fisk } from '../support/fisk.ts'
import { type Gateway, startGateway, startSharedGateway } from '../support/gateway.ts'
import { enrolGateway } from '../support/sync-gateway.ts'
import { fleet, record } from '../support/sync-rows.ts'

let server: Gateway
const run = (...argv: string[]) => fisk(argv, { socket: server.socketPath })
beforeAll(async () => {
  server = await startSharedGateway({ FISKD_ROLE: 'server' })
})

test('fisk gateway add shows the token once, and what to do with it', async () => {
  const { code, stdout } = await run('gateway', 'add', 'lobby')
  expect(code).toBe(0)
  expect(stdout).toMatch(/^ {2}fisk_enroll_[\w-]{43}_[\w-]{43}$/m)
  expect(stdout).toContain('sudo fisk sync enroll')
  expect((await run('gateway', 'list')).stdout).toMatch(/lobby +waits for token/)
  expect((await run('gateway', 'add', 'lobby')).stderr).toContain('--again')
  const again = await run('gateway', 'add', 'lobby', '--again', '--json')
  expect(JSON.parse(again.stdout)).toEqual({
    ...{ id: expect.any(String), name: 'lobby', token: expect.stringMatching(/^fisk_enroll_/) },
    token_expires_at: expect.any(String),
  })
  const renewed = (await run('gateway', 'add', 'lobby', '--again')).stdout
  expect(renewed).toContain('the machine that it had before is refused')
  expect(renewed).toContain('sudo fisk replace https://SERVER:8443 TOKEN')
})

test('fisk gateway list and show tell how a gateway is, and what was refused of it', async () => {
  const gateway = await enrolGateway(server, 'hall')
  const { parents, invoice } = fleet({ premisesCode: 'HALL', label: 'Hall' })
  const bad = invoice(1, { deviceId: '00000000-0000-4000-8000-000000000000' })
  await gateway.push([...parents(), record('invoice', bad)])
  const list = await run('gateway', 'list')
  expect({ code: list.code, line: /^ *hall .*$/m.exec(list.stdout)?.[0] }).toEqual({
    ...{ code: 0, line: expect.stringMatching(/hall +connected/) },
  })
  const csv = await run('gateway', 'list', '--csv')
  expect(csv.stdout).toMatch(/^id,name,state,version,.*\r\n/)
  expect(csv.stdout).toMatch(/,hall,connected,/)
  const shown = await run('gateway', 'show', 'hall')
  expect(shown.stdout).toContain('HALL')
  expect(shown.stdout).toMatch(/its device is not\s+here\s+\(missing_parent\)/)
  expect(JSON.parse((await run('gateway', 'show', 'hall', '--json')).stdout)).toMatchObject({
    ...{ name: 'hall', state: 'connected', refused: 1, premises: [{ premises_code: 'HALL' }] },
  })
})

test('a gateway that has fallen silent ends fisk gateway list with 1', async () => {
  const own = await startGateway({ FISKD_ROLE: 'server' })
  await enrolGateway(own, 'quiet')
  own.clock.aheadMs = 3 * 3_600_000
  const { code, stdout } = await fisk(['gateway', 'list'], { socket: own.socketPath })
  expect({ code, stdout }).toEqual({ code: 1, stdout: expect.stringMatching(/quiet +silent/) })
  expect((await fisk(['gateway', 'show', 'quiet'], { socket: own.socketPath })).code).toBe(1)
})

test('fisk gateway set keeps a gateway to its companies, and asks first', async () => {
  await enrolGateway(server, 'kept')
  expect((await run('gateway', 'set', 'kept')).stderr).toContain('--company')
  expect((await run('gateway', 'set', 'kept', '--company', '02994650199')).code).toBe(2)
  const set = await run('gateway', 'set', 'kept', '--company', '02994650199', '18683136487', '--yes')
  expect(set.stdout).toContain('02994650199, 18683136487')
  expect((await run('gateway', 'show', 'kept')).stdout).toMatch(/sells for +02994650199, 18683136487/)
  expect((await run('gateway', 'set', 'kept', '--any-company')).stdout).toContain('every company of its tenant')
  expect((await run('gateway', 'show', 'kept')).stdout).not.toContain('sells for')
})

test('fisk gateway revoke refuses the gateway, and asks first', async () => {
  const gateway = await enrolGateway(server, 'old')
  expect((await run('gateway', 'revoke', 'old')).code).toBe(2)
  expect((await gateway.push([])).status).toBe(200)
  expect((await run('gateway', 'revoke', 'old', '--yes')).stdout).toContain('revoked')
  expect((await gateway.push([])).status).toBe(401)
  expect((await run('gateway', 'list')).stdout).toMatch(/old +revoked/)
})

test('an unknown gateway, a bad name and a daemon that is none of a server are said as such', async () => {
  expect(await run('gateway', 'show', 'nobody')).toMatchObject({ code: 1 })
  expect((await run('gateway', 'add', 'no/name')).stderr).toContain('letters')
  const kiosk = await startGateway()
  const { code, stderr } = await fisk(['gateway', 'list'], { socket: kiosk.socketPath })
  expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining('FISKD_ROLE=server') })
})
