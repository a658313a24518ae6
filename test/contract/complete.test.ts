import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { specificationRows } from '../support/specification.ts'

const tested = readdirSync(import.meta.dirname)
  .filter((file) => file.endsWith('.test.ts'))
  .flatMap((file) => [...readFileSync(`${import.meta.dirname}/${file}`, 'utf8').matchAll(/\brow\(\s*(['"])(.*?)\1,/g)])
  .map((match) => match[2] ?? '')

test('every row of every table of the specification has a test of its name', () => {
  const rows = specificationRows()
  expect(rows.length).toBeGreaterThan(200)
  expect(rows.filter((name) => !tested.includes(name))).toEqual([])
})

test('every test of a row names a row that is there', () => {
  const rows = specificationRows()
  expect(tested.filter((name) => !rows.includes(name))).toEqual([])
})
