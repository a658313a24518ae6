import { gzipSync } from 'node:zlib'

export interface Entry {
  /** Plain ASCII, relative, at most 99 characters. */
  name: string
  text: string
}

const BLOCK = 512

/** The ustar form (POSIX.1-1988), in memory: its content stands nowhere else. @param at of each, epoch milliseconds */
export function archive(entries: readonly Entry[], at: number): Buffer {
  const parts = entries.flatMap(({ name, text }) => {
    const bytes = Buffer.from(text, 'utf8')
    return [head(name, bytes.length, at), bytes, Buffer.alloc(-bytes.length & (BLOCK - 1))]
  })
  return gzipSync(Buffer.concat([...parts, Buffer.alloc(2 * BLOCK)]))
}

function head(name: string, size: number, at: number): Buffer {
  if (!/^[\w./-]{1,99}$/.test(name)) throw new Error(`${name} is no name for a file of an archive`)
  const block = Buffer.alloc(BLOCK)
  const octal = (value: number, width: number) => value.toString(8).padStart(width - 1, '0')
  block.write(name, 0)
  block.write(octal(0o600, 8), 100)
  block.write(octal(0, 8), 108)
  block.write(octal(0, 8), 116)
  block.write(octal(size, 12), 124)
  block.write(octal(Math.floor(at / 1000), 12), 136)
  block.write('        0', 148)
  block.write('ustar\u000000', 257, 'latin1')
  const sum = block.reduce((total, byte) => total + byte, 0)
  block.write(`${octal(sum, 7)}\0 `, 148, 'latin1')
  return block
}
