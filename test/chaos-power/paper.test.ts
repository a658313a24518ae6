import { expect, test } from 'vitest'
import { zkisOn } from '../../scripts/chaos/paper.ts'

test('a ZKI on two lines beside the QR code is read, and one that was cut off is not', () => {
  const line = (text: string) => `  ZKI: ${text}\n  \x1b* P\x00\xff\xf0\xff`
  const whole = `${line('3b81881c8a12da21')}       dbd189eb42de907d\n`
  expect(zkisOn(`${whole}JIR: x\n${line('f773b3ca19fedb55')}       ef4f6d3a8f`)).toEqual([
    '3b81881c8a12da21dbd189eb42de907d',
  ])
})
