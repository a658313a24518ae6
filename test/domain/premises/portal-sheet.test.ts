import { expect, test } from 'vitest'
import { byPremises, PORTAL_COLUMNS, portalRow } from '../../../src/domain/premises/portal-sheet.ts'

const DEVICE = { label: 'Kavomat', premisesCode: 'POSL1', premisesAddress: ' Trg 1, Split, kod ulaza ' }
const COMPANY = { oib: '02994650199', fiscalConfig: { activity: '47.99 Ostala trgovina na malo' } }
/** Half an hour before midnight of the 29th in Zagreb. */
const NOW = Date.UTC(2026, 10, 29, 22, 30)

test('a row has what the portal asks, with the days on which the premises may open', () => {
  expect(portalRow(DEVICE, COMPANY, NOW)).toEqual({
    label: 'Kavomat',
    company_oib: '02994650199',
    premises_code: 'POSL1',
    premises_type: 'samoposlužni uređaj',
    note: 'Trg 1, Split, kod ulaza',
    opens_from: '2026-11-29',
    opens_to: '2027-01-13',
    activity: '47.99 Ostala trgovina na malo',
    working_hours: '',
    lacks: 'working_hours',
    isu_number: '',
  })
  expect(portalRow(DEVICE, COMPANY, NOW + 3_600_000).opens_from).toBe('2026-11-30')
})

test('what is not known stays empty and is named', () => {
  for (const activity of [undefined, '', 7, 'x'.repeat(201)]) {
    const row = portalRow({ ...DEVICE, premisesAddress: null }, { oib: '1', fiscalConfig: { activity } }, NOW)
    expect(row).toMatchObject({ note: '', activity: '', lacks: 'note, activity, working_hours' })
  }
})

test('the columns are those of a row, in their order but the number, which is the last', () => {
  const row = portalRow(DEVICE, COMPANY, NOW)
  expect([...PORTAL_COLUMNS].toSorted()).toEqual(Object.keys(row).toSorted())
  expect(PORTAL_COLUMNS.at(-1)).toBe('isu_number')
})

test('rows stand by company, then premises, then label', () => {
  const row = (oib: string, premisesCode: string, label: string) =>
    portalRow({ ...DEVICE, premisesCode, label }, { ...COMPANY, oib }, NOW)
  const rows = [row('2', 'A', 'a'), row('1', 'B', 'b'), row('1', 'B', 'a'), row('1', 'A', 'z')]
  expect(rows.sort(byPremises).map((one) => `${one.company_oib}${one.premises_code}${one.label}`)).toEqual([
    ...['1Az', '1Ba', '1Bb', '2Aa'],
  ])
})
