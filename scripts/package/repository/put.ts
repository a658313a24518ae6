import { chmodSync, closeSync, copyFileSync, fsyncSync, mkdirSync, openSync, renameSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'

/** Copies a file so that its name leads, at any moment and after a power cut, to the whole of the old or of the new one. */
export function put(from: string, to: string): void {
  const folder = dirname(to)
  mkdirSync(folder, { recursive: true })
  const part = join(folder, `.${basename(to)}.part`)
  copyFileSync(from, part)
  chmodSync(part, 0o644)
  sync(part)
  renameSync(part, to)
  sync(folder)
}

function sync(path: string): void {
  const file = openSync(path, 'r')
  try {
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
}
