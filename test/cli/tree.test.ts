import type { Command } from 'commander'
import { describe, expect, test } from 'vitest'
import { columns } from '../../src/cli/text/columns.ts'
import { fisk } from '../support/fisk.ts'
import { program } from '../support/whole-program.ts'

/** Every command that does something, by the words that call it. */
function leaves(command: Command, path: string[] = []): [path: string, command: Command][] {
  if (command.commands.length === 0) return [[path.join(' '), command]]
  return command.commands.flatMap((sub) => leaves(sub, [...path, sub.name()]))
}

const ALL = leaves(program)
const named = (path: string) => ALL.find(([name]) => name === path)?.[1]

test('the whole command set is there', () => {
  const wanted = `init, status, doctor, key create, key list, key revoke, company add, company list, company set,
    cert add, cert list, cert revoke, deadline extend, device add, device list, device set, device import, isu set, isu clear, isu pending,
    invoice list, invoice show, invoice retry, invoice check, invoice correct, hours show, hours set, hours remove, numbers list, numbers heal, machine accept, printer list, printer set, printer test, printer status, receipt print,
    receipt pdf, receipt preview, receipt closing, trust list, trust fetch, trust add, trust remove, user add, user list, user reset, user remove, tenant add, tenant list,
    gateway add, gateway list, gateway show, gateway set, gateway revoke, gateway accept, gateway send, gateway commands, alert list,
    alert ack, alert test, audit,
    backup, restore, migrate-store, prepare-image, support-bundle, firmware-trial, completion, sync enroll, sync status, sync now, sync confirm-numbers, sync leave`
  for (const path of wanted.split(/,\s*/)) expect(named(path), path).toBeDefined()
})

describe.each(ALL)('fisk %s', (path, command) => {
  test('is explained, with an example of its own and --json, within 80 columns', async () => {
    expect(command.description()).toMatch(/^[A-Z].*\.$/s)
    const { code, stdout, stderr } = await fisk([...path.split(' '), '--help'])
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(stdout.split('\nExample:\n')[1]).toContain(`fisk ${path}`)
    expect(stdout).toContain('--json')
    for (const line of stdout.split('\n')) expect(columns(line), line).toBeLessThanOrEqual(80)
    for (const { flags, description } of command.options) expect(description, flags).not.toBe('')
    for (const argument of command.registeredArguments) expect(argument.description, argument.name()).not.toBe('')
  })

  test('refuses an option that it does not have, as wrong use', async () => {
    expect((await fisk([...path.split(' '), '--no-such-option'])).code).toBe(2)
  })
})

test('a group shows its commands within 80 columns, and is wrong use without one', async () => {
  for (const group of program.commands.filter(({ commands }) => commands.length > 0)) {
    const { code, stdout } = await fisk([group.name(), '--help'])
    expect(code).toBe(0)
    for (const line of stdout.split('\n')) expect(columns(line), line).toBeLessThanOrEqual(80)
    expect((await fisk([group.name()])).code).toBe(2)
  }
})

/** What cannot simply be taken back, as a script would call it. */
const DESTRUCTIVE = [
  'key revoke K',
  'cert revoke C',
  'isu clear D',
  'user remove U',
  'gateway revoke G',
  'gateway set G --company 02994650199',
  'gateway send G suspend --device D',
  'gateway send G archive --device D',
  'gateway send G revoke-key --key K',
  'numbers heal 02994650199 POSL1',
  'numbers skip-lost 02994650199 POSL1',
  'printer set D --none',
  'company set 02994650199 --mode live',
  'company set 02994650199 --mode test',
  'company set 02994650199 --status suspended',
  'device set D --status archived',
  'device set D --status suspended',
  'restore F',
  'migrate-store U',
  'sync confirm-numbers',
  'machine accept',
  'sync leave',
]

test.each(DESTRUCTIVE)('where nobody can be asked, fisk %s is refused and names --yes', async (line) => {
  const { code, stdout, stderr } = await fisk(line.split(' '), {
    socket: '/nonexistent/fiskd.sock',
    fiskd: '/nonexistent',
  })
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
  expect(stderr).toContain('--yes')
})

test('every command that may destroy something or go live takes --yes, and no other', () => {
  const asking = ALL.filter(([, { options }]) => options.some(({ long }) => long === '--yes')).map(([path]) => path)
  const wanted = DESTRUCTIVE.map((line) =>
    line
      .split(' ')
      .slice(0, /^(restore|migrate-store) /.test(line) ? 1 : 2)
      .join(' '),
  )
  // prepare-image first says what it would remove; the others ask only where something is replaced, corrected or goes live.
  const others = ['prepare-image', 'cert add', 'company add', 'init', 'invoice correct', 'isu set']
  expect(asking.sort()).toEqual([...new Set([...wanted, ...others])].sort())
})
