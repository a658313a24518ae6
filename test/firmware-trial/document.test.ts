import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { RULES, type RuleName } from '../../src/firmware-trial/rules/catalogue.ts'
import { SCENARIOS } from '../../src/firmware-trial/scenarios/list.ts'
import { inProject } from '../support/stand-in.ts'
import { DEFECTS } from './support/defects.ts'

const read = (name: string) => readFileSync(inProject(`docs/${name}`), 'utf8')

test('every rule points to a section that docs/firmware.md has', () => {
  const headings = [...read('firmware.md').matchAll(/^##+ (.+)$/gm)].map(([, text]) =>
    String(text)
      .toLowerCase()
      .replace(/[^a-z0-9 -]/g, '')
      .replaceAll(' ', '-'),
  )
  expect(Object.values(RULES).filter(({ section }) => !headings.includes(section))).toEqual([])
})

test('every rule has a planted mistake that breaks it, in a scenario that there is', () => {
  const planted: RuleName[] = Object.values(DEFECTS).flatMap(([, rules]) => rules)
  expect(Object.keys(RULES).filter((rule) => !planted.includes(rule as RuleName))).toEqual([])
  const names = SCENARIOS.map(({ name }) => name)
  expect(Object.values(DEFECTS).filter(([name]) => !names.includes(name))).toEqual([])
  expect(new Set(names).size).toBe(names.length)
})
