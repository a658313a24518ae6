import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { strFromU8, unzipSync } from 'fflate'
import { tempDir } from './temp-dir.ts'

/** The sheets of a workbook by name, each row with its cells by column. */
export async function readWorkbook(
  bytes: Uint8Array,
): Promise<Record<string, Record<string, { number?: string; text?: string; format?: string }>[]>> {
  const path = join(await tempDir(), 'book.xlsx')
  writeFileSync(path, bytes)
  const script = join(import.meta.dirname, '../reports/read-workbook.py')
  return JSON.parse(execFileSync('python3', [script, path], { encoding: 'utf8' }))
}

/** What the rows of its first sheet can be filtered in, such as `A1:F9`. */
export function filterOf(bytes: Uint8Array): string {
  const sheet = strFromU8(unzipSync(bytes)['xl/worksheets/sheet1.xml'] as Uint8Array)
  return /<autoFilter ref="([^"]+)"/.exec(sheet)?.[1] ?? ''
}
