import { execFileSync } from 'node:child_process'
import { beforeAll, expect, test } from 'vitest'
import { escapeControls } from '../../src/domain/control-characters.ts'
import { inDatabase } from '../support/database.ts'
import { fisk } from '../support/fisk.ts'
import { type Gateway, startSharedGateway } from '../support/gateway.ts'

/** Clears a screen on terminals that know C1, turns the reading direction around, hides letters, ends a line. */
const TRICKS = '\u009b2J\u0085\u007f\u202e\u2066\u200f\u061c\u00ad\u2028\u{e0041}'
const NAME = `Kava${TRICKS}d.o.o.`
const OBEYED = /(?!\n)[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u

let gateway: Gateway
let sold: string
beforeAll(async () => {
  gateway = await startSharedGateway()
  // Names are refused today that were stored once.
  for (const [table, column] of [
    ['companies', 'name'],
    ['devices', 'label'],
  ] as const)
    await inDatabase(gateway, `UPDATE ${table} SET ${column} = '${NAME}'`)
  for (const [path, body] of [
    [`/v1/companies/${gateway.companyId}`, { fiscal_config: { receipt: { header: [NAME] } } }],
    [`/v1/devices/${gateway.deviceId}`, { premises_address: NAME, device_config: { note: NAME } }],
  ] as const) {
    const changed = await gateway.admin(path, { method: 'PATCH', body })
    expect(changed.status, changed.text).toBe(200)
  }
  sold = (await gateway.sell({ items: [{ name: NAME, quantity: '1', unit_price: '2.50', amount: '2.50' }] })).id
})

const COMMANDS = () => [
  ['company', 'list'],
  ['device', 'list'],
  ['invoice', 'list', '--all'],
  ['invoice', 'list'],
  ['invoice', 'show', sold],
  ['receipt', 'preview', sold],
  ['status'],
  ['company', 'set', gateway.companyId, '--city', `Za${TRICKS}greb`],
]

test('names that are stored play no tricks on the terminal of whoever looks at them', async () => {
  for (const argv of COMMANDS()) {
    const { stdout, stderr } = await fisk(argv, { socket: gateway.socketPath })
    expect(stdout, argv.join(' ')).not.toBe('')
    expect(`${stdout}${stderr}`, argv.join(' ')).not.toMatch(OBEYED)
  }
})

test('a command that is printed as a fix reaches the machine, whatever its name is', async () => {
  for (const name of ['Čokomat ž\r', 'a  b', '-x y', 'A\u202eB', "it's $HOME"]) {
    await inDatabase(
      gateway,
      `UPDATE devices SET label = '${name.replace("'", "''")}', isu_number = NULL, isu_status = 'pending'`,
    )
    const { stdout } = await fisk(['status'], { socket: gateway.socketPath })
    const fix = /Fix: fisk (isu set .*) NUMBER/.exec(stdout)?.[1] ?? ''
    const words = execFileSync('bash', ['-c', `printf '%s\\0' ${fix} 101`], { encoding: 'utf8' })
      .split('\0')
      .slice(0, -1)
    expect(await fisk(words, { socket: gateway.socketPath }), fix).toMatchObject({ code: 0 })
  }
  const { stdout } = await fisk(['device', 'list'], { socket: gateway.socketPath })
  expect(stdout).toContain("it's $HOME")
  await inDatabase(gateway, `UPDATE devices SET label = '${NAME}'`)
})

test('nor does JSON, and whoever reads it as JSON gets the name as it is', async () => {
  for (const argv of COMMANDS()) {
    const { stdout } = await fisk([...argv, '--json'], { socket: gateway.socketPath })
    expect(stdout, argv.join(' ')).not.toMatch(OBEYED)
    expect(() => JSON.parse(stdout)).not.toThrow()
  }
  const { stdout } = await fisk(['device', 'list', '--json'], { socket: gateway.socketPath })
  expect(JSON.parse(stdout).data[0]).toMatchObject({ label: NAME, premises_address: NAME })
  expect(stdout).toContain('Kava\\u009b2J\\u0085\\u007f\\u202e')
  const missing = await fisk(['device', 'set', `x${TRICKS}`, '--label', 'y', '--json'], { socket: gateway.socketPath })
  expect(`${missing.stdout}${missing.stderr}`).not.toMatch(OBEYED)
  expect(JSON.parse(missing.stdout).error.message).toContain(TRICKS)
})

test('what is escaped in JSON has the same value, also beyond U+FFFF', () => {
  const value = { [NAME]: [NAME, 'č 😀 \n'] }
  expect(JSON.parse(escapeControls(JSON.stringify(value, null, 2)))).toEqual(value)
})
