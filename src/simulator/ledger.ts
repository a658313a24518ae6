import { createHash, createSign, type KeyObject, randomUUID } from 'node:crypto'
import type { XmlElement } from 'libxml2-wasm'
import type { CisError } from './errors.ts'
import { type JudgeContext, judge } from './judge.ts'
import { childNamed, F73_NS, textAt } from './xml.ts'

/** A processed `racuni` message. Texts are copied from the message; a missing one is empty. */
export interface ReceivedMessage {
  /** IdPoruke */
  messageId: string
  oib: string
  /** BrOznRac */
  number: string
  /** OznPosPr */
  premisesCode: string
  /** OznNapUr */
  registerMark: string
  zki: string
  /** Whether the ZKI matches the company's key; null when the simulator does not have the key. */
  zkiMatches: boolean | null
  /** NakDost */
  lateDelivery: boolean
  /** IznosUkupno */
  total: string
  /** Zaglavlje/DatumVrijeme, `dd.MM.yyyyTHH:mm:ss` */
  sentAt: string
  /** Racun/DatVrijeme, `dd.MM.yyyyTHH:mm:ss` */
  occurredAt: string
  /** The whole HTTP body. */
  requestXml: string
  /** The issued JIR, even if the answer was then lost; null when there are `errors`. */
  jir: string | null
  errors: CisError[]
}

/** @param onJir called with each message that gets a JIR */
export function createLedger(onJir: (request: XmlElement) => void = () => {}) {
  const received: ReceivedMessage[] = []
  const jirs = new Map<string, string>()

  function jirOf(message: ReceivedMessage): string {
    const { oib, number, premisesCode, registerMark, zki } = message
    const key = [oib, number, premisesCode, registerMark, zki].join('/')
    const jir = jirs.get(key) ?? randomUUID()
    jirs.set(key, jir)
    return jir
  }

  return {
    received,
    /** The same receipt (OIB, number and ZKI) always gets the same JIR. @param imposed an error to answer instead */
    process(request: XmlElement, requestXml: string, context: JudgeContext, imposed: CisError | null): ReceivedMessage {
      const message = describe(request, requestXml, context)
      const error = imposed ?? judge(request, context)
      if (error === null) {
        message.jir = jirOf(message)
        onJir(request)
      } else message.errors.push(error)
      received.push(message)
      return message
    },
  }
}

function describe(request: XmlElement, requestXml: string, { pki }: JudgeContext): ReceivedMessage {
  const read = (...path: string[]) => textAt(request, ...path) ?? ''
  const receipt = childNamed(request, F73_NS, 'Racun')
  const oib = read('Racun', 'Oib')
  return {
    messageId: read('Zaglavlje', 'IdPoruke'),
    oib,
    number: read('Racun', 'BrRac', 'BrOznRac'),
    premisesCode: read('Racun', 'BrRac', 'OznPosPr'),
    registerMark: read('Racun', 'BrRac', 'OznNapUr'),
    zki: read('Racun', 'ZastKod'),
    zkiMatches: receipt === null ? null : zkiMatches(receipt, pki.companyKeys(oib)),
    lateDelivery: ['true', '1'].includes(read('Racun', 'NakDost')),
    total: read('Racun', 'IznosUkupno'),
    sentAt: read('Zaglavlje', 'DatumVrijeme'),
    occurredAt: read('Racun', 'DatVrijeme'),
    requestXml,
    jir: null,
    errors: [],
  }
}

/**
 * Whether the ZKI matches a key of the company, also of an earlier certificate (CIS specification, ch. 12); null when
 * no key is known. The real service has no private keys and cannot check this.
 */
function zkiMatches(receipt: XmlElement, companyKeys: readonly KeyObject[]): boolean | null {
  if (companyKeys.length === 0) return null
  const text = protectedText(receipt)
  // RSASSA-PKCS1-v1_5 has no randomness: the same text and key give the same signature.
  const codes = companyKeys.map((key) => createHash('md5').update(createSign('RSA-SHA256').update(text).sign(key)))
  return codes.some((code) => code.digest('hex') === textAt(receipt, 'ZastKod'))
}

function protectedText(receipt: XmlElement): string {
  const read = (...path: string[]) => textAt(receipt, ...path) ?? ''
  const moment = read('DatVrijeme').replace('T', ' ')
  const number = read('BrRac', 'BrOznRac') + read('BrRac', 'OznPosPr') + read('BrRac', 'OznNapUr')
  return read('Oib') + moment + number + read('IznosUkupno').replace('+', '')
}
