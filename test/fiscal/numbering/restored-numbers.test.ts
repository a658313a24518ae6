import { expect, test } from 'vitest'
import { companyIdOf } from '../../../src/domain/company-id.ts'
import { restoredNumbers } from '../../../src/fiscal/numbering/restored-numbers.ts'
import { parseStatedNumber, type StatedNumber } from '../../../src/fiscal/numbering/stated-number.ts'
import type { KnownLevel, LeftSequence, NumberFacts } from '../../../src/fiscal/numbering/wanted-numbers.ts'
import { OIBS } from '../../support/pki.ts'

const [OIB, OTHER] = OIBS
const companyId = companyIdOf(OIB)
const MONTH_MS = 30 * 86_400_000

const sequence = (year: number, register: string, highest: string): LeftSequence => ({
  ...{ companyId, mode: 'live', premisesCode: 'POSL1', year, register, highest, used: highest },
})
const level = (year: number, level: 'P' | 'N'): KnownLevel => {
  return { companyId, mode: 'live', premisesCode: 'POSL1', year, level }
}
const device = { companyId, premisesCode: 'POSL1', isuNumber: '7', deviceConfig: {} }
const june = (year: number) => Date.UTC(year, 5, 1)

const FACTS: NumberFacts = {
  companies: [{ id: companyId, oib: OIB, mode: 'live', fiscalConfig: {} }],
  devices: [device],
  sequences: [sequence(2026, '', '100')],
  elsewhere: [],
  levels: [level(2026, 'P')],
  now: june(2026),
  newestAt: june(2026),
}

/** `PREMISES/REGISTER@YEAR FIRST-LAST USED`, and the mode where it is not live. */
function decided(changes: Partial<NumberFacts>, stated: string[], gap: bigint | null = null): string[] {
  const numbers = stated.map((text) => parseStatedNumber(text) as StatedNumber)
  return restoredNumbers({ ...FACTS, ...changes }, { stated: numbers, gap }, () => '').flatMap((one) => {
    const { mode, premisesCode, register, year } = one.sequence
    const place = `${mode === 'live' ? '' : 'test/'}${premisesCode}${register && `/${register}`}@${year}`
    return one.reserve ? [`${place} ${one.reserve.first}-${one.reserve.last} ${one.reserve.usedTo}`] : []
  })
}

/** The names that the demand prints. */
function demanded(changes: Partial<NumberFacts>): string[] {
  try {
    decided(changes, [])
    return []
  } catch (error) {
    return [...(error as Error).message.matchAll(/--highest (\S+)=NUMBER/g)].map(([, name]) => String(name))
  }
}

test('what is stated or held by a database that is there is known to be used, a gap is not', () => {
  expect(decided({}, ['POSL1=130'])).toEqual(['POSL1@2026 101-130 130'])
  expect(decided({}, [], 10n)).toEqual(['POSL1@2026 101-110 null'])
  expect(decided({ elsewhere: [sequence(2026, '', '120')] }, [], 10n)).toEqual(['POSL1@2026 101-130 120'])
  const guessed = { ...sequence(2026, '', '120'), used: '105' }
  expect(decided({ elsewhere: [guessed] }, [], 10n)).toEqual(['POSL1@2026 101-130 105'])
})

test('years are asked of the clock, of the newest invoice and of the databases that are there', () => {
  expect(demanded({})).toEqual(['POSL1@2026'])
  expect(demanded({ now: june(2030) })).toEqual(['POSL1@2026', 'POSL1@2030'])
  expect(demanded({ now: Date.UTC(2027, 0, 5) })).toEqual(['POSL1@2026', 'POSL1@2027'])
  expect(demanded({ newestAt: Date.UTC(2027, 0, 1) - MONTH_MS + 86_400_000 })).toEqual(['POSL1@2026', 'POSL1@2027'])
  expect(demanded({ newestAt: Date.UTC(2026, 0, 5) })).toEqual(['POSL1@2025', 'POSL1@2026'])
  expect(demanded({ elsewhere: [sequence(2028, '', '5')] })).toEqual(['POSL1@2026', 'POSL1@2028'])
  expect(demanded({ elsewhere: [sequence(2025, '', '5')] })).toEqual(['POSL1@2026'])
  expect(decided({}, ['POSL1=100', 'POSL1@2027=55'])).toContain('POSL1@2027 1-55 55')
})

test('a company that the backup lacks is asked about by its OIB, or by its id where nothing tells the OIB', () => {
  const id = companyIdOf(OTHER)
  const elsewhere = [{ ...sequence(2026, '', '130'), companyId: id }]
  const named = [...FACTS.companies, { id, oib: OTHER, mode: 'live' as const, fiscalConfig: {} }]
  expect(demanded({ elsewhere, companies: named })).toEqual([`${OIB}/POSL1@2026`, `${OTHER}/POSL1@2026`])
  const nameless = [...FACTS.companies, { id, oib: id, mode: 'live' as const, fiscalConfig: {} }]
  expect(demanded({ elsewhere, companies: nameless })).toContain(`${id}/POSL1@2026`)
  for (const name of [id, OTHER]) {
    expect(decided({ elsewhere, companies: nameless }, [`${name}/POSL1=140`, `${OIB}/POSL1=100`])).toEqual([
      'POSL1@2026 1-140 140',
    ])
  }
})

test('an OIB that nothing knows is reserved for, in both modes when none is said', () => {
  expect(decided({}, ['POSL1=100', `${OTHER}/NEW=5`])).toEqual(['test/NEW@2026 1-5 5', 'NEW@2026 1-5 5'])
  expect(decided({}, ['POSL1=100', `live/${OTHER}/NEW=5`])).toEqual(['NEW@2026 1-5 5'])
})

test('a register that came after the backup, and several of a new premises, can be stated', () => {
  const byRegister = { sequences: [sequence(2026, '1', '10')], levels: [level(2026, 'N')] }
  const known = [`${OIB}/POSL1/1=10`, `${OIB}/POSL1/7=0`]
  expect(decided(byRegister, [...known, `${OIB}/POSL1/2=33`])).toEqual(['POSL1/2@2026 1-33 33'])
  const added = ['POSL1=100', `${OIB}/NEW/1=5`, `${OIB}/NEW/2=6`, `${OIB}/NEW/2@2027=7`]
  expect(decided({}, added)).toEqual(['NEW/1@2026 1-5 5', 'NEW/2@2026 1-6 6', 'NEW/2@2027 1-7 7'])
  expect(() => decided({}, [...added, `${OIB}/NEW/2@2026=8`])).toThrow('say the same thing twice')
})

test('where it is not known how a premises numbers, a register can be stated apart from the rest', () => {
  const unknown = { levels: [], sequences: [] }
  const stated = [`${OIB}/POSL1/7=33`, 'POSL1=9']
  expect(decided(unknown, stated)).toEqual(['POSL1@2026 1-9 9', 'POSL1/7@2026 1-33 33'])
})

test('whether a premises numbers by register is what its level says, and every register that is set is asked about', () => {
  const both = [sequence(2026, '', '1000'), sequence(2026, '1', '10')]
  const devices = [{ ...device, deviceConfig: { register_mark: '8' } }]
  const companies = FACTS.companies.map((one) => ({ ...one, fiscalConfig: { register_mark: '9' } }))
  const names = ['1', '7', '8', '9'].map((register) => `${OIB}/POSL1/${register}@2026`)
  expect(demanded({ sequences: both, levels: [level(2026, 'N')], devices, companies })).toEqual(names)
  expect(demanded({ sequences: both, levels: [level(2026, 'P')], devices, companies })).toEqual(['POSL1@2026'])
  const lastYear = { sequences: [sequence(2025, '1', '10')], levels: [level(2025, 'N')], devices, companies }
  const all = ['POSL1@2026', ...['1', '7', '8', '9'].map((one) => `POSL1/${one}@2026`)]
  expect(decided(lastYear, ['POSL1=5'])).toEqual(all.map((one) => `${one} 1-5 5`))
})
