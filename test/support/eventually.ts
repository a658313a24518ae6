import { existsSync, readFileSync } from 'node:fs'
import { expect } from 'vitest'

/** Waits until a file holds a text. */
export async function fileWith(file: string, text: string): Promise<void> {
  const read = () => (existsSync(file) ? readFileSync(file, 'latin1') : '')
  await expect.poll(read, { timeout: 10_000, interval: 10 }).toContain(text)
}
