import { attempt } from '../../domain/attempt.ts'

/** Encodings by the first bytes of a body: a byte order mark, or a first character of two or four bytes. */
const BEGINNINGS = [
  [/^(?:0000feff|000000(?!00))/, 'utf-32be'],
  [/^(?:fffe0000|(?!00)..000000)/, 'utf-32le'],
  [/^efbbbf/, 'utf-8'],
  [/^(?:fffe|(?!00)..00)/, 'utf-16le'],
  [/^(?:feff|00(?!00))/, 'utf-16be'],
] as const

/** Decoded as an XML parser does (XML 1.0, appendix F); UTF-8 by default. */
export function textOf(body: Buffer): string {
  const beginning = body.toString('hex', 0, 4)
  const encoding = BEGINNINGS.find(([begins]) => begins.test(beginning))?.[1]
  if (encoding === undefined) return decodedAsDeclared(body) ?? body.toString('utf8')
  if (encoding === 'utf-32be' || encoding === 'utf-32le') return utf32(body, encoding)
  return encoding === 'utf-8' ? body.toString('utf8') : new TextDecoder(encoding).decode(body)
}

const DECLARATION = /^<\?xml\s[^>]*?encoding\s*=\s*["']([\w.:-]+)["']/

/** @returns undefined when the XML declaration names no encoding, UTF-8, or an impossible one */
function decodedAsDeclared(body: Buffer): string | undefined {
  const [, label] = DECLARATION.exec(body.toString('latin1', 0, body.indexOf('>'))) ?? []
  if (label === undefined || label === 'UTF-8') return undefined
  const decoder = attempt(() => new TextDecoder(label), undefined)
  // The declaration was read byte by byte, so it is not in UTF-16.
  return decoder?.encoding.startsWith('utf-16') ? undefined : decoder?.decode(body)
}

/** `TextDecoder` does not know UTF-32. */
function utf32(body: Buffer, encoding: 'utf-32be' | 'utf-32le'): string {
  let text = ''
  for (let at = 0; at + 4 <= body.length; at += 4) {
    text += characterOf(encoding === 'utf-32be' ? body.readUInt32BE(at) : body.readUInt32LE(at))
  }
  return text.replace(/^\ufeff/, '')
}

export function characterOf(codePoint: number): string {
  return codePoint <= 0x10ffff ? String.fromCodePoint(codePoint) : '\ufffd'
}
