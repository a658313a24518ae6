/** The maximum size of a PKCS#12 file; real files have some kilobytes (docs/spec/interface.md, Limits). */
export const CERTIFICATE_FILE_BYTES = 256 * 1024

/** The maximum size of the logo on a company's receipts, as it is uploaded, and how wide it may be printed. */
export const RECEIPT_LOGO_BYTES = 256 * 1024
/** As it is stored: a drawing has a few kilobytes, a photograph that fills the paper twice as much as this. */
export const STORED_LOGO_BYTES = 96 * 1024
export const RECEIPT_LOGO_WIDTH_MM = { least: 5, most: 72 }

/** The maximum size of a device list (docs/spec/interface.md, Limits). */
export const IMPORT_FILE_BYTES = 1024 * 1024
export const IMPORT_ROWS = 5000
/** Rows with line breaks and blank lines also count, so that reading ends. */
export const IMPORT_LINES = 20_000
/** Of the certificates of such a file, together. A certificate has 2 KB, and a chain four. */
export const CERTIFICATE_CHAIN_BYTES = 96 * 1024

/** Whether a file is a workbook (.xlsx, .ods, .xls), by its first bytes: those of a ZIP or OLE container. */
export function isWorkbook(file: Buffer): boolean {
  return ['504b0304', 'd0cf11e0'].includes(file.toString('hex', 0, 4))
}
