import { existsSync, readFileSync } from 'node:fs'
import { expect, vi } from 'vitest'
import { PATIENCE_MS } from './patience.ts'

/**
 * Waits until a check no longer throws. For tests that run beside others of their file, which `expect.poll` takes for one
 * another; everywhere else that reads better, and is as patient.
 */
export function eventually(check: () => void | Promise<void>): Promise<void> {
  return vi.waitFor(check, { timeout: PATIENCE_MS, interval: 5 })
}

/** Waits until a file holds a text. */
export async function fileWith(file: string, text: string): Promise<void> {
  const read = () => (existsSync(file) ? readFileSync(file, 'latin1') : '')
  await expect.poll(read, { interval: 10 }).toContain(text)
}
