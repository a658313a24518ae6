import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const SPOOL = join(import.meta.dirname, '../../src/receipts/spool.ts')

/** What a program of its own has loaded, after its spool was asked to load what these printers need. */
function packagesFor(lines: string[]): string[] {
  const script = `
    const { createSpool } = await import(${JSON.stringify(SPOOL)})
    const printers = ${JSON.stringify(lines)}.map((line) => ({ line, profile: 'epson-tm-t20', overrides: {} }))
    const reportFault = (error) => { throw error }
    await createSpool({ store: { printers: { all: async () => printers } }, clock: {}, reportFault }).load()
    const { createRequire } = await import('node:module')
    console.log(Object.keys(createRequire(import.meta.url).cache).join('\\n'))
  `
  const args = ['--import', import.meta.resolve('tsx'), '--input-type=module', '-e', script]
  const files = execFileSync(process.execPath, args, { encoding: 'utf8' }).split('\n')
  const names = files.flatMap((file) => /node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(file)?.[1] ?? [])
  return [...new Set(names)]
}

const FOR_ALL = ['any-ascii', 'qrcode']

test('all that a receipt needs is loaded before the first sale, for an upgrade takes the files away', () => {
  const loaded = packagesFor(['serial:/dev/there-is-none', 'tcp:192.0.2.1:9100'])
  expect(loaded).toEqual(expect.arrayContaining([...FOR_ALL, 'serialport', '@serialport/bindings-cpp']))
})

test('a daemon without a serial printer does not load serial ports, and one without printers loads nothing', () => {
  const loaded = packagesFor(['tcp:192.0.2.1:9100'])
  expect(loaded).toEqual(expect.arrayContaining(FOR_ALL))
  expect(loaded).not.toContain('serialport')
  expect(packagesFor([]).filter((name) => [...FOR_ALL, 'serialport'].includes(name))).toEqual([])
})
