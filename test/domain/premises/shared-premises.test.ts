import { expect, test } from 'vitest'
import { sharedPremises, sharedPremisesText } from '../../../src/domain/premises/shared-premises.ts'

const at = (premisesCode: string, label: string, deviceConfig = {}) => ({ premisesCode, label, deviceConfig })
const TILL = { sale_type: 'attended' }

test('machines of one premises code are found, by code, with their labels in order', () => {
  const devices = [at('A', '1'), at('B', '2'), at('A', '3'), at('a', '4'), at('B', '5'), at('C', '6')]
  expect(sharedPremises(devices, {})).toEqual([
    { premisesCode: 'A', labels: ['1', '3'] },
    { premisesCode: 'B', labels: ['2', '5'] },
  ])
})

test('tills do not count, whether device or company says that they are attended', () => {
  expect(sharedPremises([at('A', '1'), at('A', '2', TILL)], {})).toEqual([])
  expect(sharedPremises([at('A', '1'), at('A', '2')], TILL)).toEqual([])
  expect(
    sharedPremises([at('A', '1', { sale_type: null }), at('A', '2', { sale_type: 'unattended' })], TILL),
  ).toHaveLength(1)
})

test('of many machines a few are named, and the others counted', () => {
  const labels = ['1', '2', '3', '4', '5', '6', '7']
  const { en, hr } = sharedPremisesText({ premisesCode: 'HALL', labels })
  expect(en).toMatch(/^1, 2, 3, 4, 5 and 2 more have one premises code, HALL: /)
  expect(hr).toMatch(/^1, 2, 3, 4, 5 i još 2 imaju istu oznaku poslovnog prostora, HALL: /)
})
