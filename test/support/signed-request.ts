import { createHash, createSign, randomUUID, X509Certificate } from 'node:crypto'
import { XmlC14NMode, XmlDocument, type XmlElement } from 'libxml2-wasm'

const F73 = 'http://www.apis-it.hr/fin/2012/types/f73'
const DSIG = 'http://www.w3.org/2000/09/xmldsig#'
const EXCLUSIVE = 'http://www.w3.org/2001/10/xml-exc-c14n#'
const INCLUSIVE = 'http://www.w3.org/TR/2001/REC-xml-c14n-20010315'

/** Who signs a request made by hand, both PEM. */
export interface RequestSigner {
  certPem: string
  keyPem: string
}

/** What a request made by hand says; every text goes into the message as it is. */
export interface RequestFields {
  oib: string
  messageId?: string
  /** `dd.MM.yyyyTHH:mm:ss`, Zagreb */
  sentAt: string
  occurredAt?: string
  number?: string
  premises?: string
  register?: string
  total?: string
  payment?: string
  operatorOib?: string
  recipientOib?: string
  late?: boolean
  /** Default: what the signer's key makes. */
  zki?: string
  /** XML elements between BrRac and IznosUkupno; default one VAT line. */
  taxes?: string
  /** XML element behind NakDost. */
  tail?: string
}

/** Departures from a correct signature. */
export interface SigningFaults {
  c14n?: 'inclusive'
  hash?: 'sha1'
  withoutSignature?: boolean
  referenceId?: string
  serial?: string
  withoutIssuerSerial?: boolean
  /** Applied to the finished document. */
  change?: (xml: string) => string
}

const VAT =
  '<tns:Pdv><tns:Porez><tns:Stopa>25.00</tns:Stopa><tns:Osnovica>2.00</tns:Osnovica><tns:Iznos>0.50</tns:Iznos></tns:Porez></tns:Pdv>'

/** A signed `racuni` request in its SOAP envelope, made without the product's own code. */
export function signedRequest(fields: RequestFields, signer: RequestSigner, faults: SigningFaults = {}): string {
  const id = `Z${randomUUID()}`
  const unsigned = envelope(
    `<tns:RacunZahtjev xmlns:tns="${F73}" Id="${id}">${header(fields)}${receipt(fields, signer)}<!--s--></tns:RacunZahtjev>`,
  )
  const xml = faults.withoutSignature ? unsigned.replace('<!--s-->', '') : signDocument(unsigned, id, signer, faults)
  return faults.change?.(xml) ?? xml
}

export function envelope(body: string): string {
  return `<?xml version="1.0" encoding="UTF-8"?><soapenv:Envelope xmlns:soapenv="http://schemas.xmlsoap.org/soap/envelope/"><soapenv:Body>${body}</soapenv:Body></soapenv:Envelope>`
}

export function echoRequest(text: string): string {
  return envelope(`<tns:EchoRequest xmlns:tns="${F73}">${text}</tns:EchoRequest>`)
}

function header({ messageId = randomUUID(), sentAt }: RequestFields): string {
  return `<tns:Zaglavlje><tns:IdPoruke>${messageId}</tns:IdPoruke><tns:DatumVrijeme>${sentAt}</tns:DatumVrijeme></tns:Zaglavlje>`
}

function receipt(fields: RequestFields, signer: RequestSigner): string {
  const { oib, occurredAt = fields.sentAt, number = '1', premises = 'POSL1', register = '123456789' } = fields
  const {
    total = '2.50',
    payment = 'G',
    operatorOib = oib,
    recipientOib,
    late = false,
    taxes = VAT,
    tail = '',
  } = fields
  const text = `${oib}${occurredAt.replace('T', ' ')}${number}${premises}${register}${total}`
  const made = createHash('md5').update(createSign('RSA-SHA256').update(text).sign(signer.keyPem)).digest('hex')
  const recipient = recipientOib === undefined ? '' : element('OibPrimateljaRacuna', recipientOib)
  return element(
    'Racun',
    element('Oib', oib) +
      element('USustPdv', 'true') +
      element('DatVrijeme', occurredAt) +
      element('OznSlijed', 'P') +
      element('BrRac', element('BrOznRac', number) + element('OznPosPr', premises) + element('OznNapUr', register)) +
      taxes +
      element('IznosUkupno', total) +
      element('NacinPlac', payment) +
      element('OibOper', operatorOib) +
      element('ZastKod', fields.zki ?? made) +
      element('NakDost', String(late)) +
      tail +
      recipient,
  )
}

function element(name: string, content: string): string {
  return `<tns:${name}>${content}</tns:${name}>`
}

function signDocument(unsigned: string, id: string, signer: RequestSigner, faults: SigningFaults): string {
  const hash = faults.hash ?? 'sha256'
  const method = faults.c14n === 'inclusive' ? INCLUSIVE : EXCLUSIVE
  const digest = createHash(hash)
    .update(canonical(unsigned, '//tns:RacunZahtjev', method))
    .digest('base64')
  const signature = signatureXml(faults.referenceId ?? id, digest, method, hash, keyInfo(signer, faults))
  const unsealed = unsigned.replace('<!--s-->', signature)
  const sealed = createSign(`RSA-${hash.toUpperCase()}`).update(canonical(unsealed, '//ds:SignedInfo', method))
  return unsealed.replace('@value@', sealed.sign(signer.keyPem, 'base64'))
}

function signatureXml(id: string, digest: string, method: string, hash: 'sha256' | 'sha1', keyInfo: string): string {
  const [signing, digesting] =
    hash === 'sha256'
      ? ['http://www.w3.org/2001/04/xmldsig-more#rsa-sha256', 'http://www.w3.org/2001/04/xmlenc#sha256']
      : [`${DSIG}rsa-sha1`, `${DSIG}sha1`]
  return (
    `<ds:Signature xmlns:ds="${DSIG}"><ds:SignedInfo><ds:CanonicalizationMethod Algorithm="${method}"/>` +
    `<ds:SignatureMethod Algorithm="${signing}"/><ds:Reference URI="#${id}"><ds:Transforms>` +
    `<ds:Transform Algorithm="${DSIG}enveloped-signature"/><ds:Transform Algorithm="${method}"/></ds:Transforms>` +
    `<ds:DigestMethod Algorithm="${digesting}"/><ds:DigestValue>${digest}</ds:DigestValue></ds:Reference>` +
    `</ds:SignedInfo><ds:SignatureValue>@value@</ds:SignatureValue>${keyInfo}</ds:Signature>`
  )
}

function keyInfo({ certPem }: RequestSigner, faults: SigningFaults): string {
  const certificate = new X509Certificate(certPem)
  const serial = faults.serial ?? BigInt(`0x${certificate.serialNumber}`).toString()
  const issuerSerial =
    `<ds:X509IssuerSerial><ds:X509IssuerName>${certificate.issuer.replaceAll('\n', ',')}</ds:X509IssuerName>` +
    `<ds:X509SerialNumber>${serial}</ds:X509SerialNumber></ds:X509IssuerSerial>`
  const leaf = `<ds:X509Certificate>${certificate.raw.toString('base64')}</ds:X509Certificate>`
  return `<ds:KeyInfo><ds:X509Data>${leaf}${faults.withoutIssuerSerial ? '' : issuerSerial}</ds:X509Data></ds:KeyInfo>`
}

function canonical(xml: string, path: string, method: string): string {
  const document = XmlDocument.fromString(xml)
  try {
    const found = document.root.get(path, { tns: F73, ds: DSIG }) as XmlElement
    const mode = method === INCLUSIVE ? XmlC14NMode.XML_C14N_1_0 : XmlC14NMode.XML_C14N_EXCLUSIVE_1_0
    return found.canonicalizeToString({ mode })
  } finally {
    document.dispose()
  }
}
