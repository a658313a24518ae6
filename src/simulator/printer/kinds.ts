import type { ModelOptions } from './model.ts'

export const PRINTER_KINDS = {
  epson: {},
  custom: { maker: 'custom' },
  'star-line': { commands: 'star_line' },
  'star-raster': { commands: 'star_raster' },
  // POS-58, POS-80 and others that know the oldest commands only [S].
  clone: {
    chinese: true,
    withoutGraphics: true,
    withoutNativeQr: true,
    withoutProcessId: true,
    withoutRaster: true,
    withoutStatus: true,
  },
} as const satisfies Record<string, ModelOptions>

export type PrinterKind = keyof typeof PRINTER_KINDS

export const isPrinterKind = (name: string): name is PrinterKind => Object.hasOwn(PRINTER_KINDS, name)
