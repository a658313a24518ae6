import { statSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { join } from 'node:path'
import { query } from './postgres.ts'

/** What those who connect to a database from now on ask it, without the beats of processes. */
export async function statementsOf(url: string) {
  const [{ name } = { name: '' }] = await query<{ name: string }>(url, 'SELECT current_database() AS name')
  await query(url, `ALTER DATABASE ${name} SET log_statement = 'all'`)
  await query(url, `ALTER DATABASE ${name} SET log_min_messages = 'log'`)
  const path = join(decodeURIComponent(url.split('host=')[1] ?? ''), 'log')
  let from = statSync(path).size
  return {
    /** Since the last time: the beginning of each statement, in order. */
    async since(): Promise<string[]> {
      const file = await open(path)
      const { buffer, bytesRead } = await file.read({
        position: from,
        length: 4_000_000,
        buffer: Buffer.alloc(4_000_000),
      })
      await file.close()
      from += bytesRead
      // A statement of several lines is one entry.
      return buffer
        .subarray(0, bytesRead)
        .toString()
        .split(/\n(?=\d{4}-\d\d-\d\d )/)
        .filter((entry) => entry.includes(` ${name} LOG: `))
        .flatMap((entry) => /LOG: {2}(?:statement|execute [^:]*): *(.*)/s.exec(entry)?.[1]?.trim() ?? [])
        .filter((statement) => !isBeat(statement))
        .map((statement) => statement.replace(/\s+/g, ' ').slice(0, 40))
    },
  }
}

/** What a process asks every two seconds, whatever else it does. */
const isBeat = (statement: string) => statement.includes('UPDATE processes')
