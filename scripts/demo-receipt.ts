import QRCode from 'qrcode'

/** Columns of 80 mm paper. */
const WIDTH = 48
const PAYMENT: Record<string, string> = { G: 'novčanice', K: 'kartica', O: 'ostalo' }

export interface DemoReceipt {
  issuer: { name: string; oib: string; address: string }
  premises: string
  item: string
  total: string
  vat: { base: string; amount: string }
  payment: string
  number: string
  occurredAt: string
  zki: string
  jir: string | null
  qrPayload: string
}

/** The receipt as text with its QR code, in the language of the buyer. */
export async function drawReceipt(receipt: DemoReceipt): Promise<string> {
  const { issuer, total } = receipt
  const lines = [
    centred(issuer.name),
    centred(`OIB ${issuer.oib}`),
    centred(issuer.address),
    centred(receipt.premises),
    '',
    both(receipt.item, total),
    rule(),
    both('UKUPNO EUR', total),
    both(`PDV 25,00 %  osnovica ${receipt.vat.base}`, receipt.vat.amount),
    both('Način plaćanja', PAYMENT[receipt.payment] ?? receipt.payment),
    rule(),
    both('Račun', receipt.number),
    both('Vrijeme', receipt.occurredAt),
    `ZKI ${receipt.zki}`,
    // No JIR, no line: the receipt is valid without it.
    ...(receipt.jir === null ? [] : [`JIR ${receipt.jir}`]),
    '',
  ]
  const qr = await QRCode.toString(receipt.qrPayload, { type: 'utf8', errorCorrectionLevel: 'M', margin: 2 })
  const symbol = qr.split('\n').filter((line) => line.trim() !== '')
  const indent = ' '.repeat(Math.max(0, Math.floor((WIDTH - (symbol[0]?.length ?? 0)) / 2)))
  const paper = [...lines, ...symbol.map((line) => indent + line), '']
  return paper.map((line) => `      │ ${line.padEnd(WIDTH)} │`).join('\n')
}

const rule = () => '-'.repeat(WIDTH)
const centred = (text: string) => ' '.repeat(Math.max(0, Math.floor((WIDTH - text.length) / 2))) + text
const both = (left: string, right: string) => left + right.padStart(Math.max(1, WIDTH - left.length))
