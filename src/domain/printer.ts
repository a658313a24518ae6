import type { Both } from './texts/both.ts'

/** Printers whose defaults are known; `generic` for all others. */
export const PRINTER_PROFILES = [
  'epson-tm-t20',
  'epson-tm-t88',
  'epson-tm-m30',
  'custom-vkp80iii',
  'custom-kpm',
  'citizen-ct-s',
  'star-line',
  'star-tsp100',
  'star-escpos',
  'bixolon-srp',
  'xprinter-xp',
  'nippon',
  'snbc',
  'pos-58',
  'pos-80',
  'generic',
] as const
export type PrinterProfile = (typeof PRINTER_PROFILES)[number]

/** Paper widths as characters of font A per line: 58 mm has 32, 80 mm 48, at 180 dpi 42. */
export const PAPER_COLUMNS = [32, 35, 42, 44, 48] as const

/** @returns undefined for a text that is none of them */
export function columnsIn(text: string | undefined): PrinterSettings['columns'] | undefined {
  return PAPER_COLUMNS.find((columns) => String(columns) === text)
}

/** What the settings that are one of a few may be. */
export const PRINTER_CHOICES = {
  /** The command set: ESC/POS, or Star's own line mode or raster mode. */
  commands: ['escpos', 'star_line', 'star_raster'],
  columns: PAPER_COLUMNS,
  dpi: [180, 203],
  encoding: ['cp852', 'windows1250', 'iso8859-2', 'ascii'],
  /** The width of a character of the small font (`ESC M 1`); 0 where a printer has none. */
  smallFontDots: [0, 9, 10],
  /** `raster`: the dots of a code are sent as a picture. */
  qr: ['native', 'raster'],
  /** The commands for pictures: `GS v 0`, or `ESC *`, which older printers have. */
  pictures: ['raster', 'columns'],
  /** A logo is in the printer's memory (`GS ( L`, only with `pictures: raster`), or sent with each receipt. */
  logo: ['stored', 'sent'],
  /**
   * `feed`: feed to the cutter, then cut (`GS V 66`); `plain`: cut at the current position (`GS V 0`), after blank lines;
   * `present`: Custom's presenter cuts and holds the receipt out (`FS P`); `eject`: a plain cut, then Custom's ejector
   * pushes the receipt out (`GS e 5`).
   */
  cut: ['feed', 'plain', 'present', 'eject', 'none'],
  /** What `present` does with a receipt that nobody takes: it stays until the next one, goes back in or comes out. */
  notTaken: ['keep', 'retract', 'eject'],
  /** Whether a printer answers status requests; `maybe`: unknown until it has answered once. */
  answers: ['yes', 'maybe', 'never'],
  /**
   * How a printer proves that a receipt is out: `process_id`: `GS ( H`; `status`: `GS r`; `star`: the counter of executed
   * `ETB`; `custom`: the counter of cuts. `realtime`: it is only asked before and after whether it is ready; that, and
   * `none`, prove nothing.
   */
  confirm: ['process_id', 'status', 'star', 'custom', 'realtime', 'none'],
  parity: ['none', 'even', 'odd'],
  stopBits: [1, 2],
  flowControl: ['none', 'rts_cts', 'xon_xoff', 'dtr_dsr'],
} as const

type Chosen = { [Name in keyof typeof PRINTER_CHOICES]: (typeof PRINTER_CHOICES)[Name][number] }

/** The settings that have a default in each profile and that a technician can override. */
export interface PrinterSettings extends Chosen {
  /** The n of `ESC t`, or of Star's `ESC GS t`; unused with `ascii`. */
  codePage: number
  /** Seconds until a receipt that nobody takes goes back in or comes out. */
  notTakenAfterS: number
  /** Blank lines before a `plain` cut or the end, to move the paper past the tear bar. */
  feedLines: number
  /** Raw bytes around a receipt, hex, e.g. for a presenter. */
  beforeHex: string
  afterHex: string
  /** The timeout of a status request; a printer without power needs the whole time. */
  answerTimeoutMs: number
  /** The timeout of printing after everything was sent. */
  confirmTimeoutMs: number
  baudRate: number
}

/** The code pages with Croatian letters on known printers (docs/spec/printing.md, Letters). */
export const LETTER_PAGES: readonly Pick<PrinterSettings, 'encoding' | 'codePage'>[] = [
  { encoding: 'cp852', codePage: 18 },
  ...[45, 47, 30, 72, 3].map((codePage) => ({ encoding: 'windows1250' as const, codePage })),
  { encoding: 'iso8859-2', codePage: 39 },
]

/**
 * The address of a printer: a serial port, the USB printer class, a TCP address, or a file for the bytes. Written as
 * `serial:/dev/serial/by-id/…`, `usb:/dev/usb/lp0`, `tcp:192.168.1.9:9100`, `file:/tmp/receipts.bin`.
 */
export type LineAddress =
  | { kind: 'serial' | 'usb' | 'file'; path: string }
  | { kind: 'tcp'; host: string; port: number }

/** @returns undefined for anything else. For a bare path below `/dev`, the name determines the kind. */
export function parseLineAddress(text: string): LineAddress | undefined {
  const path = /^(serial|usb|file):(\/[^\0]*[^/\0])$/.exec(text)
  if (path) return { kind: path[1] as 'serial' | 'usb' | 'file', path: String(path[2]) }
  if (/^\/dev\/((usb\/)?lp\d+|fiskd\/printer-usb-[^/\0]+)$/.test(text)) return { kind: 'usb', path: text }
  if (/^\/dev\/(serial\/by-(id|path)\/[^/\0]+|fiskd\/printer-serial-[^/\0]+|tty[A-Za-z0-9]+)$/.test(text))
    return { kind: 'serial', path: text }
  const tcp = /^tcp:(\[[0-9a-fA-F:.]+\]|[^\s:/[\]]+)(?::(\d{1,5}))?$/.exec(text)
  const port = Number(tcp?.[2] ?? 9100)
  if (!tcp || port < 1 || port > 65535) return undefined
  return { kind: 'tcp', host: String(tcp[1]).replace(/^\[|\]$/g, ''), port }
}

export function formatLineAddress(address: LineAddress): string {
  if (address.kind !== 'tcp') return `${address.kind}:${address.path}`
  const host = address.host.includes(':') ? `[${address.host}]` : address.host
  return `tcp:${host}:${address.port}`
}

/**
 * Why a printer does not print, or why a receipt did not come out: screens and alerts branch on it.
 * `cutter`: the cutter is jammed; `overheated`: the print head is too hot, and printing continues by itself; `error`: any
 * other error that the printer reports; `offline`: it does not say why; `no_answer`: it does not answer any more;
 * `line_lost`: the line cannot be opened or was interrupted; `noise`: what arrives makes no sense.
 */
export const PRINTER_REASONS = [
  'paper_out',
  'cover_open',
  'cutter',
  'overheated',
  'error',
  'offline',
  'no_answer',
  'line_lost',
  'noise',
] as const
export type PrinterReason = (typeof PRINTER_REASONS)[number]

export interface PrinterCondition {
  /**
   * `ready`; `offline`: it answers and does not print (cover, error, paper); `silent`: it does not answer; `lost`: the
   * line cannot be opened or was interrupted; `unknown`: not checked yet, or the printer cannot report its state.
   */
  state: 'ready' | 'offline' | 'silent' | 'lost' | 'unknown'
  /** Null when not reported. */
  paper: 'ok' | 'near_end' | 'out' | null
  cover: 'closed' | 'open' | null
  error: boolean | null
  /** Null when all is well, or nothing is known. */
  reason: PrinterReason | null
  /** What is wrong; null when all is well. */
  detail: Both | null
  fix: Both | null
}

export const UNKNOWN_CONDITION: PrinterCondition = {
  state: 'unknown',
  paper: null,
  cover: null,
  error: null,
  reason: null,
  detail: null,
  fix: null,
}

export const PRINT_JOB_STATUSES = ['queued', 'sending', 'printed', 'unconfirmed', 'failed', 'expired'] as const
export type PrintJobStatus = (typeof PRINT_JOB_STATUSES)[number]

/** A setting that does not fit the others, and what to do. */
export interface Misfit {
  setting: 'commands' | 'confirm' | 'cut' | 'not_taken'
  problem: string
}

export function misfitOf({ commands, confirm, cut, notTaken }: PrinterSettings): Misfit | undefined {
  const isStar = commands !== 'escpos'
  if (isStar && confirm !== 'star' && confirm !== 'realtime' && confirm !== 'none')
    return { setting: 'confirm', problem: `a printer with ${commands} has no ${confirm}: set it to star` }
  if (!isStar && confirm === 'star')
    return { setting: 'confirm', problem: 'star needs the commands star_line or star_raster' }
  if (confirm === 'custom' && cut === 'none')
    return { setting: 'confirm', problem: 'custom proves a receipt by its cut: set a cut, or confirm to realtime' }
  if (isStar && (cut === 'present' || cut === 'eject'))
    return { setting: 'cut', problem: `${cut} is a command of Custom: set it to feed, plain or none` }
  if (notTaken !== 'keep' && cut !== 'present')
    return { setting: 'not_taken', problem: 'only a presenter acts on receipts: set cut to present, or this to keep' }
  return undefined
}
