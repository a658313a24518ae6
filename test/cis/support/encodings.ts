const utf32 = (text: string, write: 'writeUInt32BE' | 'writeUInt32LE') => {
  const characters = [...text].map((character) => Number(character.codePointAt(0)))
  const bytes = Buffer.alloc(characters.length * 4)
  for (const [i, character] of characters.entries()) bytes[write](character, i * 4)
  return bytes
}
const naming = (xml: string, encoding: string) => xml.replace('UTF-8', encoding)
/** The letters of the tests alone. */
const windows1250 = (xml: string) =>
  Buffer.from(naming(xml, 'windows-1250').replaceAll('Č', '\u00c8').replaceAll('š', '\u009a'), 'latin1')

/** Ways to write a document; each declares itself. */
export const ENCODINGS: Record<string, (xml: string) => Buffer> = {
  'UTF-8 with a byte order mark': (xml) => Buffer.from(`\ufeff${xml}`),
  'UTF-16LE': (xml) => Buffer.from(naming(`\ufeff${xml}`, 'UTF-16'), 'utf16le'),
  'UTF-16BE': (xml) => Buffer.from(naming(`\ufeff${xml}`, 'UTF-16'), 'utf16le').swap16(),
  'UTF-16LE without a byte order mark': (xml) => Buffer.from(naming(xml, 'UTF-16'), 'utf16le'),
  'UTF-16BE without a byte order mark': (xml) => Buffer.from(naming(xml, 'UTF-16'), 'utf16le').swap16(),
  'UTF-32LE': (xml) => utf32(naming(`\ufeff${xml}`, 'UTF-32'), 'writeUInt32LE'),
  'UTF-32BE': (xml) => utf32(naming(`\ufeff${xml}`, 'UTF-32'), 'writeUInt32BE'),
  'UTF-32LE without a byte order mark': (xml) => utf32(naming(xml, 'UTF-32'), 'writeUInt32LE'),
  'UTF-32BE without a byte order mark': (xml) => utf32(naming(xml, 'UTF-32'), 'writeUInt32BE'),
  'windows-1250': windows1250,
}
