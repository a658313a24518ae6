import * as Type from 'typebox'
import { PAPER_COLUMNS } from '../../domain/printer.ts'
import { Closed } from '../common.ts'

/** The content types of a receipt; the first one where the caller wants any. */
export const RECEIPT_TYPES = {
  'text/plain': 'text',
  'image/png': 'png',
  'application/pdf': 'pdf',
  'application/vnd.escpos': 'escpos',
} as const

/** The content types of the link to a receipt. */
export const LINK_TYPES = { 'text/plain': 'text', 'image/png': 'png', 'image/svg+xml': 'svg' } as const

export const ReceiptQuery = Closed({
  columns: Type.Optional(
    Type.Enum(PAPER_COLUMNS.map(String), {
      description:
        'Characters in a line: 32 for paper of 58 mm, 48 for 80 mm. Default: those of the printer of the device, else 48',
    }),
  ),
})

const Binary = Type.String({ format: 'binary' })

/** The answer by content type; every form has the same words. */
export const RECEIPT_CONTENT = {
  'text/plain': { schema: Type.String({ description: 'For a terminal or a screen of text, UTF-8' }) },
  'image/png': { schema: Binary },
  'application/pdf': { schema: Binary },
  'application/vnd.escpos': { schema: Binary },
} satisfies Record<keyof typeof RECEIPT_TYPES, object>

export const LINK_CONTENT = {
  'text/plain': { schema: Type.String({ description: 'The address, and the end of a line' }) },
  'image/png': { schema: Binary },
  'image/svg+xml': { schema: Binary },
} satisfies Record<keyof typeof LINK_TYPES, object>
