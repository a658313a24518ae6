import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished } from 'vitest'
import {
  type Machine,
  type PtyPrinter,
  type PtyPrinterOptions,
  startPtyPrinter,
  startTcpPrinter,
  type TcpPrinter,
  type TcpPrinterOptions,
} from '../../src/simulator/index.ts'
import { atTheEndOfFile } from './file-end.ts'

/** Bytes as a maker's reference writes them: text stands for itself, numbers for bytes. */
export function escpos(...parts: (string | number)[]): Buffer {
  return Buffer.concat(parts.map((part) => (typeof part === 'string' ? Buffer.from(part, 'latin1') : Buffer.of(part))))
}

/** What a printer without a plug answers, from now on. */
export function listenTo(machine: Machine): number[] {
  const heard: number[] = []
  machine.connect({ write: (bytes) => heard.push(...bytes), pause() {}, resume() {} })
  return heard
}

type AtTheEnd = (close: () => void) => void

/** A printer on a pseudo terminal for the running test; `path` is a link that stays when it is plugged in again. */
export function startVirtualPrinter(options: PtyPrinterOptions = {}): Promise<PtyPrinter> {
  return startPrinter(options, onTestFinished)
}

/** The same for all tests of a file. */
export function startVirtualPrinterForFile(options: PtyPrinterOptions = {}): Promise<PtyPrinter> {
  return startPrinter(options, atTheEndOfFile)
}

/** A printer on a port of loopback for the running test. */
export async function startNetworkPrinter(options: TcpPrinterOptions = {}): Promise<TcpPrinter> {
  const printer = await startTcpPrinter(options)
  onTestFinished(() => printer.close())
  return printer
}

/** The same until `atTheEnd` says so. */
export async function startPrinter(options: PtyPrinterOptions, atTheEnd: AtTheEnd): Promise<PtyPrinter> {
  const dir = mkdtempSync(join(tmpdir(), 'fiskd-printer-'))
  atTheEnd(() => rmSync(dir, { recursive: true, force: true }))
  const printer = await startPtyPrinter({ linkPath: join(dir, 'usb-Virtual_Printer-if00'), ...options })
  atTheEnd(() => printer.close())
  return printer
}

/** Every code in a picture, as a stranger's reader sees it. Needs `zbarimg`: skip without it. */
export function codesIn(input: Buffer): string[] {
  const { error, status, stdout, stderr } = spawnSync('zbarimg', ['--raw', '-q', '-'], { input, encoding: 'utf8' })
  if (error) throw error
  // 4: there is none.
  if (status !== 0 && status !== 4) throw new Error(`zbarimg: ${stderr}`)
  return stdout.split('\n').filter((line) => line !== '')
}

/** That a picture holds one QR code, with exactly this in it. */
export function expectQr(png: Buffer, payload: string): void {
  expect(codesIn(png)).toEqual([payload])
}

/** A text without blanks and line ends: the halves of a ZKI or JIR that stand below each other are one word. */
export const withoutBlanks = (text = '') => text.replace(/\s+/g, '')
