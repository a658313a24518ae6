import type { Bound } from '../domain/bound.ts'
import { STORED_LOGO_BYTES } from '../domain/upload.ts'

/** The window in which the bytes of a printer are counted. */
export const PRINTER_BYTES_WITHIN_MS = 10_000

/** Limits for the bytes of printers and for the picture of a receipt. */
export const RECEIPT_BOUNDS = {
  // A printer answers a question with a byte, and a receipt with seven. The rest is for one that reports each change of
  // its state, and for the noise on a serial line that nothing is attached to.
  printerBytes: {
    most: 16 * 1024,
    of: `bytes from a printer within ${PRINTER_BYTES_WITHIN_MS / 1000} seconds`,
    beyond: 'the line is closed: flooded',
  },
  // The longest sale of `/v1` has some 7,000 on narrow paper, with the letters that become four.
  lines: { most: 8000, of: 'lines of a receipt', beyond: '400 invalid_request' },
  // More than a metre of paper.
  pictureRows: { most: 10_000, of: 'rows of dots of the picture of a receipt', beyond: '400 invalid_request' },
  pdfPages: { most: 50, of: 'pages of the PDF of a receipt', beyond: '400 invalid_request' },
  logoSide: { most: 2000, of: 'dots to a side of a logo that is uploaded', beyond: '400 invalid_request' },
  logoDots: { most: 1_000_000, of: 'dots of such a logo', beyond: '400 invalid_request' },
  logoStored: {
    most: STORED_LOGO_BYTES,
    of: 'bytes of such a logo as large as it is printed',
    beyond: '400 invalid_request',
  },
  logoHeightMm: { most: 40, of: 'millimetres that a logo is high on paper', beyond: '400 invalid_request' },
} as const satisfies Record<string, Bound>
