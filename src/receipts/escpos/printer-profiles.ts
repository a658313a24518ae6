import type { PrinterProfile, PrinterSettings } from '../../domain/printer.ts'

/**
 * Settings for most receipt printers for 80 mm paper; each profile contains the differences. Marks as in
 * docs/spec/printing.md: [V] read in a maker's manual, [S] second hand, [U] assumed: `fisk printer test` shows faults.
 */
const USUAL: PrinterSettings = {
  commands: 'escpos',
  columns: 48,
  dpi: 203,
  encoding: 'cp852',
  codePage: 18,
  smallFontDots: 9,
  qr: 'native',
  pictures: 'raster',
  logo: 'sent',
  cut: 'feed',
  feedLines: 4,
  notTaken: 'keep',
  notTakenAfterS: 30,
  beforeHex: '',
  afterHex: '',
  answers: 'yes',
  confirm: 'status',
  // A printer takes longer than this, and half a second, to restart.
  answerTimeoutMs: 500,
  confirmTimeoutMs: 15_000,
  // A virtual serial port over USB ignores the baud rate.
  baudRate: 38_400,
  parity: 'none',
  stopBits: 1,
  // With a cable without control lines printing would never end. A receipt with a native QR code fits every buffer.
  flowControl: 'none',
}

/**
 * Font A of Custom printers has 15 characters to the inch at most: 42 on 72 mm [V: KPM150, `1B C1`]. That they take `FS
 * .`, with which every job begins, and print nothing for it, is assumed [U].
 */
const CUSTOM: Partial<PrinterSettings> = {
  columns: 42,
  // `1B C1 01` makes font A 15 characters to the inch instead of 11 [V: KPM150; S: VKP80].
  beforeHex: '1bc101',
  // Which code pages are inside depends on the firmware [V]; the international one has 852 as 18 where it has it [S].
  encoding: 'ascii',
  // Font B has 20 characters to the inch then, 10 x 24 dots [V: KPM150, `1B 4D`].
  smallFontDots: 10,
  // `GS ( k` takes the levels shifted by one (L is 31): a native code would come out smaller than asked for [S].
  qr: 'raster',
  // No `GS ( H`; `GS r` is not among the commands either [S]. The counter of cuts is [V: KPM216H], [S: VKP80III].
  confirm: 'custom',
  baudRate: 19_200,
}

/**
 * A clone whose picture command and QR command are printed as text by some makers; `ESC *` all of them have [S]. It does
 * not know `GS r`, and may answer `DLE EOT`; nothing it says proves a receipt [S].
 */
const CLONE: Partial<PrinterSettings> = {
  smallFontDots: 0,
  qr: 'raster',
  pictures: 'columns',
  answers: 'maybe',
  confirm: 'realtime',
}

/** Functions 64, 67, 69 of `GS ( L` [V: TM-T90, TM-L90; S: others]. Without 64 the logo goes with each receipt. */
const EPSON: Partial<PrinterSettings> = { confirm: 'process_id', logo: 'stored' }

const DIFFERENCES: Record<PrinterProfile, Partial<PrinterSettings>> = {
  // 576 dots at 203 dpi [V]; `GS ( H` is in the reference of the T20II and later [U for the first T20].
  'epson-tm-t20': EPSON,
  // 512 dots at 180 dpi: 42 columns [V]. `GS ( H` since the T88IV; a T88III lacks it [V]: set confirm to status.
  'epson-tm-t88': { ...EPSON, columns: 42, dpi: 180 },
  // 203 dpi, 48 columns [V]; font B is wider than elsewhere, 10 x 24 [S].
  'epson-tm-m30': { ...EPSON, smallFontDots: 10, baudRate: 115_200 },
  // `FS P` cuts by itself [S], after it has moved the paper the 11.9 mm to the cutter [V: VKP80III, Printing area].
  'custom-vkp80iii': { ...CUSTOM, cut: 'present', feedLines: 0 },
  'custom-kpm': { ...CUSTOM, cut: 'eject' },
  // 852 is 18, and 6 as well [S].
  'citizen-ct-s': {},
  // 48 characters of 12 dots on 72 mm [V]. Page 5 is 852 [S]; the small font is as high as the usual one [S].
  'star-line': { commands: 'star_line', codePage: 5, confirm: 'star', baudRate: 9600 },
  // 576 dots; letters are drawn, and USB and network have no baud rate [V].
  'star-tsp100': { commands: 'star_raster', encoding: 'windows1250', qr: 'raster', confirm: 'star' },
  // ESC/POS must be chosen by the printer's switches [V: Star's ESC/POS specification].
  'star-escpos': {},
  // SRP-350: 512 dots at 180 dpi, 42 columns [V]; models with 203 dpi print it somewhat smaller, and big enough.
  'bixolon-srp': { columns: 42, dpi: 180 },
  // Answers `GS r`, knows no process id, and starts in Chinese mode, which every job leaves with `FS .` [S].
  'xprinter-xp': { baudRate: 19_200 },
  // 3 is windows-1250 (docs/spec/printing.md, Letters) [S].
  nippon: { ...CLONE, encoding: 'windows1250', codePage: 3, baudRate: 19_200 },
  snbc: { ...CLONE, baudRate: 19_200 },
  // 58 mm without a cutter: the paper is torn off.
  'pos-58': { ...CLONE, columns: 32, cut: 'none', baudRate: 9600 },
  'pos-80': { ...CLONE, baudRate: 19_200 },
  // Every printer can print ASCII letters and a picture.
  generic: {
    encoding: 'ascii',
    codePage: 0,
    smallFontDots: 0,
    qr: 'raster',
    answers: 'maybe',
    baudRate: 9600,
  },
}

/** The defaults of a profile with the technician's overrides; undefined overrides are ignored. */
export function settingsOf(profile: PrinterProfile, overrides: Partial<PrinterSettings>): PrinterSettings {
  const said = Object.fromEntries(Object.entries(overrides).filter(([, value]) => value !== undefined))
  return { ...USUAL, ...DIFFERENCES[profile], ...said }
}
