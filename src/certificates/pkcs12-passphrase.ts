/** A passphrase in the two encodings that one PKCS#12 file may use. */
export interface EncodedPassphrase {
  /** For the MAC and the old ciphers: UTF-16BE with a terminator (RFC 7292, B.1). */
  bmp: Buffer
  /** For PBES2: UTF-8, no terminator. */
  utf8: Buffer
}

/**
 * The encodings of a passphrase that tools have used, the correct one first. Some encode an empty passphrase as a
 * terminator, others as no bytes. OpenSSL before 1.1 encoded every byte of the UTF-8 text as one character.
 */
export function passphraseEncodings(passphrase: string): EncodedPassphrase[] {
  const utf8 = Buffer.from(passphrase, 'utf8')
  const encodings = [{ bmp: bmpString(passphrase), utf8 }]
  if (passphrase === '') encodings.push({ bmp: Buffer.alloc(0), utf8 })
  if (utf8.length !== passphrase.length) encodings.push({ bmp: bmpString(utf8.toString('latin1')), utf8 })
  return encodings
}

function bmpString(text: string): Buffer {
  return Buffer.from(`${text}\0`, 'utf16le').swap16()
}
