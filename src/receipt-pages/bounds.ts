import type { Bound } from '../domain/bound.ts'

const REFUSED = '429 on the page that says nothing'

/** What customers, and others who come to the receipts, may ask. */
export const RECEIPT_PAGE_BOUNDS = {
  // Behind the address of a mobile network are many phones; a page that renews itself asks 54 times in ten minutes.
  perAddress: { most: 600, of: 'requests for receipts from an address in a minute', beyond: REFUSED },
  inAll: { most: 12_000, of: 'requests for receipts in a minute', beyond: REFUSED },
  pdfs: { most: 200, of: 'PDF files of receipts that are kept', beyond: 'the one that nobody asked for longest goes' },
} as const satisfies Record<string, Bound>
