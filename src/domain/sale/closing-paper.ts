import type { ClosingDocument } from './closing.ts'
import type { ReceiptStyle } from './receipt.ts'

/** A closing as it goes on paper, with the header and in the language of the receipts of its company. */
export interface ClosingPaper extends Pick<ReceiptStyle, 'header' | 'language'> {
  closing: ClosingDocument
}
