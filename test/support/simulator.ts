import { createHash, createVerify, X509Certificate } from 'node:crypto'
import { Agent, request } from 'node:https'
import { type ParseOption, XmlC14NMode, XmlDocument, type XmlElement } from 'libxml2-wasm'
import type { Simulator } from '../../src/simulator/index.ts'

const ACTION = 'http://e-porezna.porezna-uprava.hr/fiskalizacija/2012/services/FiskalizacijaService/'
const NAMESPACES = { tns: 'http://www.apis-it.hr/fin/2012/types/f73', ds: 'http://www.w3.org/2000/09/xmldsig#' }

export interface HttpAnswer {
  status: number
  headers: Record<string, string | string[] | undefined>
  body: string
}

export interface PostOptions {
  operation?: string
  headers?: Record<string, string>
  path?: string
  method?: string
  /** Gives up after this long without an answer. */
  timeoutMs?: number
}

/** Posts a SOAP message to a simulator as a client would: a new TLS connection, the simulator's bundle as trust. */
export function post(simulator: Simulator, body: string, options: PostOptions = {}): Promise<HttpAnswer> {
  const { operation = 'racuni', headers = {}, path, method = 'POST', timeoutMs = 10_000 } = options
  return new Promise((resolve, reject) => {
    const agent = new Agent({ keepAlive: false, ca: simulator.pki.bundlePem })
    const message = request(path === undefined ? simulator.url : new URL(path, simulator.url), {
      method,
      agent,
      signal: AbortSignal.timeout(timeoutMs),
      headers: { 'content-type': 'text/xml; charset=utf-8', soapaction: `"${ACTION}${operation}"`, ...headers },
    })
    message.on('error', reject)
    message.on('response', (response) => {
      const chunks: Buffer[] = []
      response.on('error', reject)
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.on('end', () => {
        const text = Buffer.concat(chunks).toString('utf8')
        resolve({ status: response.statusCode ?? 0, headers: response.headers, body: text })
      })
    })
    message.end(body)
  })
}

/** What a `RacunOdgovor` says to a reader who trusts everybody: the first of each. */
export function readAnswer(xml: string): { messageId: string | null; jir: string | null; codes: string[] } {
  const first = (name: string) => new RegExp(`<tns:${name}>([^<]*)<`).exec(xml)?.[1] ?? null
  const codes = [...xml.matchAll(/<tns:SifraGreske>([^<]*)</g)].map((match) => match[1] ?? '')
  return { messageId: first('IdPoruke'), jir: first('Jir'), codes }
}

/** Who signed an answer and what the signature covers; `valid` says only that digest and signature are right. */
export interface CheckedSignature {
  valid: boolean
  signer: X509Certificate
  /** Canonical form of the element that the signature covers. */
  covered: string
}

/** Verifies the first signature in a document by RSA-SHA256 and inclusive c14n; throws when there is none. */
export function checkSignature(xml: string): CheckedSignature {
  const document = XmlDocument.fromString(xml, { option: 2 as ParseOption })
  try {
    const find = (path: string) => document.root.get(path, NAMESPACES) as XmlElement
    const signature = find('//ds:Signature')
    const signer = new X509Certificate(Buffer.from(find('//ds:X509Certificate').content, 'base64'))
    const value = Buffer.from(find('//ds:SignatureValue').content, 'base64')
    const digest = find('//ds:DigestValue').content
    const id = (find('//ds:Reference').attr('URI')?.value ?? '').slice(1)
    const signedInfo = canonical(find('//ds:SignedInfo'))
    const elements = document.root.find(`//*[@Id="${id}"]`) as XmlElement[]
    signature.remove()
    const forms = elements.map(canonical)
    const covered = forms.find((form) => createHash('sha256').update(form).digest('base64') === digest)
    const sealed = createVerify('RSA-SHA256').update(signedInfo).verify(signer.publicKey, value)
    return { valid: sealed && covered !== undefined, signer, covered: covered ?? '' }
  } finally {
    document.dispose()
  }
}

function canonical(element: XmlElement): string {
  return element.canonicalizeToString({ mode: XmlC14NMode.XML_C14N_1_0 })
}
