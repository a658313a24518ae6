import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { explainCodes, RESTRICTIVE_CODES } from '../../src/domain/sale/refusal.ts'
import { filesBelow } from '../support/documents.ts'
import { inProject } from '../support/stand-in.ts'
import { program } from '../support/whole-program.ts'

const COMMAND = new RegExp(`\\bfisk (?:${program.commands.map((command) => command.name()).join('|')})\\b`)
/** They are asked to type it; or it is the command that a new gateway is enrolled with, which its page shows. */
const FOR_TECHNICIANS = /tehničar|technician|sudo fisk sync enroll|sudo fisk replace/
const COMMENT = /^\s*(?:\/\/|\/?\*)/

/** Lines of a source that name a command, each with the line before: a text may be broken. */
function commandsIn(file: string): string[] {
  const lines = readFileSync(file, 'utf8').split('\n')
  return lines.flatMap((line, at) => (COMMAND.test(line) && !COMMENT.test(line) ? [`${lines[at - 1]} ${line}`] : []))
}

test('a command of fisk stands in pages, alerts and mails only where the technician is asked to type it', () => {
  const files = ['src/dashboard', 'src/domain/alert-texts', 'src/alerts', 'src/reports'].flatMap((folder) =>
    filesBelow(inProject(folder)).filter((file) => /\.(?:ts|eta)$/.test(file)),
  )
  const commands = files.flatMap(commandsIn)
  expect(commands.length).toBeGreaterThan(8)
  expect(commands.filter((text) => !FOR_TECHNICIANS.test(text))).toEqual([])
})

test.for(['hr', 'en'] as const)('in %s, the office is told of refused invoices what to do on its pages', (language) => {
  const fixes = RESTRICTIVE_CODES.flatMap((code) => explainCodes([code], language, 'office')).map(({ fix }) => fix)
  for (const fix of fixes) expect(fix).toMatch(/^\p{Lu}[^<&`]{15,}\.$/u)
  expect(fixes.filter((fix) => COMMAND.test(fix) || /timedatectl|--config|occurred_at/.test(fix))).toEqual([])
})
