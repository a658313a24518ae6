import { expect, test } from 'vitest'
import { changedFields, readSettings, settingsOf, unreadOf } from '../../src/dashboard/settings/effective-settings.ts'
import { readAmount } from '../../src/dashboard/settings/field-values.ts'
import { FIELDS, nameOf } from '../../src/dashboard/settings/fields.ts'
import { CHAIN_KEYS } from '../../src/domain/sale/config-chain.ts'

const setting = (key: string, own: object, above: object | null = {}) =>
  settingsOf({ own: { ...own }, above: above && { ...above } }).find(({ field }) => field.key === key)
const form = (values: Record<string, string>) =>
  Object.fromEntries(Object.entries(values).map(([key, value]) => [nameOf(key), value]))
const read = (values: Record<string, string>, before: object = {}) => readSettings(form(values), { ...before })

test('every field that a sale may leave to its configuration can be set', () => {
  expect(CHAIN_KEYS.filter((key) => !FIELDS.some((field) => field.key === key))).toEqual([])
})

test('the device goes before the company, and the company before nothing', () => {
  expect(setting('payment_method', { payment_method: 'K' }, { payment_method: 'G' })).toMatchObject({
    source: 'own',
    value: 'K',
    inherited: 'G',
    typed: 'K',
  })
  expect(setting('payment_method', {}, { payment_method: 'G' })).toMatchObject({
    source: 'above',
    value: 'G',
    typed: '',
  })
  expect(setting('payment_method', {}, {})).toMatchObject({ source: 'default', value: undefined })
})

test('none hides what stands above, and is told from nothing', () => {
  const masked = setting('default_vat_rate', { default_vat_rate: null }, { default_vat_rate: '25.00' })
  expect(masked).toMatchObject({ source: 'own', value: null, isNone: true, inherited: '25.00' })
  expect(setting('default_vat_rate', {}, { default_vat_rate: null })).toMatchObject({ source: 'above', value: null })
})

test('what has the wrong shape is shown, and does not apply', () => {
  const wrong = setting('default_vat_rate', { default_vat_rate: 25 }, { default_vat_rate: '13.00' })
  expect(wrong).toMatchObject({ source: 'above', value: '13.00', ignored: '25', typed: '' })
  expect(setting('receipt.header', { receipt: { header: 'one' } })).toMatchObject({
    source: 'default',
    ignored: '"one"',
  })
})

test.each([
  ['0,07', '0.07'],
  ['7', '7.00'],
  ['1.234,5', '1234.50'],
  ['25 %', '25.00'],
  ['-3,10', '-3.10'],
  ['0.07', '0.07'],
  ['-0', undefined],
  ['1,234', undefined],
  ['007', undefined],
  ['sto', undefined],
])('%s is read as %s', (text, amount) => {
  expect(readAmount(text)).toBe(amount)
})

test('an empty field is taken out, one that is not in the form stays, and so does what nobody reads', () => {
  const before = { payment_method: 'K', special_purpose: 'x', mine: { a: 1 }, receipt: { footer: ['Hvala!'] } }
  expect(read({ payment_method: '', 'receipt.footer': '' }, before)).toEqual({
    config: { special_purpose: 'x', mine: { a: 1 } },
  })
  expect(unreadOf({ own: before, above: {} })).toEqual([{ key: 'mine', json: '{"a":1}' }])
})

test('what only a company says is read of none of its devices, and is named there', () => {
  const own = { default_vat_base: 'taxable', activity: '47.99', sequence_mode: 'N', payment_method: 'G' }
  expect(unreadOf({ own, above: {} }).map(({ key }) => key)).toEqual(['default_vat_base', 'activity', 'sequence_mode'])
  expect(unreadOf({ own, above: null })).toEqual([])
})

test('items are read line by line, and the line that is wrong is named', () => {
  expect(read({ fees: 'Povratna naknada; 0,07\r\n\r\nA; B; 1' })).toEqual({
    config: {
      fees: [
        { name: 'Povratna naknada', amount: '0.07' },
        { name: 'A; B', amount: '1.00' },
      ],
    },
  })
  const wrong = read({
    fees: 'Naknada; 0,07\nNaknada',
    vat: '24; 1; 1',
    consumption_tax: '3,5; 1; 1',
    operator_oib: '1',
  })
  expect('faults' in wrong && Object.fromEntries(wrong.faults)).toEqual({
    fees: { fault: 'parts', line: 2 },
    vat: { fault: 'vatRate', line: 1 },
    consumption_tax: { fault: 'consumptionRate', line: 1 },
    operator_oib: { fault: 'oib' },
  })
})

test('none is a choice of a list and a tick beside a text, and not both at once', () => {
  expect(read({ payment_method: 'none' })).toEqual({ config: { payment_method: null } })
  const ticked = readSettings({ [nameOf('fees')]: '', [`${nameOf('fees')}-none`]: 'yes' }, {})
  expect(ticked).toEqual({ config: { fees: null } })
  const both = readSettings({ [nameOf('fees')]: 'A; 1', [`${nameOf('fees')}-none`]: 'yes' }, {})
  expect('faults' in both && both.faults.get('fees')).toEqual({ fault: 'both' })
})

test('a form that is sent as it was shown changes nothing', () => {
  const before = {
    payment_method: 'K',
    default_vat_rate: '13.00',
    vat_registered: false,
    special_purpose: ' two\nlines ',
    fees: [{ name: 'x;y', amount: '0.07' }],
    vat: [],
    consumption_tax: null,
    register_mark: '12',
    receipt: { header: ['', '  A'], footer: ['B'], language: 'en' },
  }
  const shown = settingsOf({ own: before, above: {} })
  const sent = Object.fromEntries(
    shown.flatMap(({ field, name, typed, isNone }) => {
      const isChoice = field.kind.as === 'choice' || field.kind.as === 'yes'
      const value = isNone && isChoice ? 'none' : typed.replaceAll('\n', '\r\n')
      return [[name, value] as const, ...(isNone && !isChoice ? [[`${name}-none`, 'yes'] as const] : [])]
    }),
  )
  expect(readSettings(sent, before)).toEqual({ config: before })
  expect(changedFields(before, { ...before, payment_method: 'G' })).toEqual(['payment_method'])
})
