import { expect, test } from 'vitest'
import { CUSTOM } from '../../../src/receipts/printer/dialects/custom.ts'
import { EPSON } from '../../../src/receipts/printer/dialects/epson.ts'
import { STAR } from '../../../src/receipts/printer/dialects/star.ts'
import { recognise } from '../../../src/receipts/printer/readiness.ts'
import { english } from '../../support/english.ts'
import { eventually } from '../../support/eventually.ts'
import { IMPATIENT, startPair } from '../../support/receipt-printer.ts'

type Settings = Parameters<typeof startPair>[0]
const SET = 'fisk printer set DEVICE'

test.concurrent.for<[string, Settings, object]>([
  [
    'a Star in its own language',
    { commands: 'star_line' },
    { fix: expect.stringContaining(`${SET} --profile star-line`) },
  ],
  ['an echo', { insteadOfIt: 'echo' }, { reason: 'noise', detail: expect.stringContaining('echo') }],
  [
    'noise, also while nothing is asked',
    { insteadOfIt: 'noise' },
    { reason: 'noise', fix: expect.stringContaining('--parity') },
  ],
  ['a modem', { insteadOfIt: 'modem' }, { reason: 'noise', detail: expect.stringContaining('as a modem') }],
])(
  'what is no printer in the language that is set is called what it is: %s',
  async ([_, options, said], { onTestFinished }) => {
    const { host } = await startPair({ ...options, settings: IMPATIENT }, onTestFinished)
    await eventually(() => expect(english(host.printer.condition())).toMatchObject({ state: 'silent', ...said }))
    expect(await host.print({ waitMs: 300 })).toMatchObject({ begun: false })
  },
)

test.concurrent.for([
  ['yes', 'silent'],
  ['maybe', 'unknown'],
] as const)(
  'a printer that has never answered (%s) is said with the command for one that never does',
  async ([answers, state], { onTestFinished }) => {
    const { machine, host } = await startPair({ settings: { ...IMPATIENT, answers } }, onTestFinished)
    machine.answer('never')
    const fix = expect.stringContaining(`${SET} --answers never`)
    await eventually(() => expect(english(host.printer.condition())).toMatchObject({ state, fix }))
  },
)

test('one that has answered before is not called one that never does', async ({ onTestFinished }) => {
  const { machine, host } = await startPair({ settings: IMPATIENT }, onTestFinished)
  await eventually(() => expect(host.printer.condition().state).toBe('ready'))
  machine.answer('never')
  await eventually(() =>
    expect(english(host.printer.condition())).toMatchObject({ detail: 'The printer does not answer.' }),
  )
  expect(host.printer.condition().fix?.en).not.toContain('--answers never')
})

test('other languages are recognised by whole answers only', () => {
  const star = Uint8Array.of(0x23, 0x06, 0, 0, 0, 0, 0, 0, 0)
  const escpos = Uint8Array.of(0x10, 0x00, 0x00, 0x0f)
  const peer = (received: Uint8Array, dialect: typeof EPSON) => recognise(received, dialect, false)
  expect([peer(star, EPSON), peer(star, CUSTOM), peer(star, STAR)]).toEqual(['star', 'star', undefined])
  expect([peer(escpos, STAR), peer(escpos, EPSON)]).toEqual(['escpos', undefined])
  expect([peer(Uint8Array.of(0x10, 0x14, 0x10), EPSON), peer(Uint8Array.of(0x10), EPSON)]).toEqual(['star', undefined])
  expect(peer(Uint8Array.of(0x12, 0x12, 0x12), STAR)).toBeUndefined()
})
