import { CHARACTERS, DEFLATED_FONT, FONT_LENGTH, GLYPHS } from './font-dejavu-mono.ts'

/** Widths and heights in thousandths of the size of the font. */
export const CHARACTER_WIDTH = 602
const [ASCENT, DESCENT] = [928, -236]
const FLAGS_FIXED_AND_SYMBOLIC = 5

const glyphOf = new Map([...CHARACTERS].map((char, index) => [char, GLYPHS[index] ?? 0]))

const hex = (number: number) => number.toString(16).padStart(4, '0')

/** A text as the operand of `Tj`: the glyphs of the font. */
export const glyphsOf = (text: string): string => `<${[...text].map((char) => hex(glyphOf.get(char) ?? 0)).join('')}>`

/** A4 in points. */
export const PAGE = { width: 595, height: 842 }

/**
 * A file of PDF 1.7 with one embedded font. The same pages are the same bytes: it has no date and no random id.
 * @param pages the drawing operators of each page, in Latin-1; the font is `/F`
 * @param title Latin-1 letters
 */
export function pdfFile(pages: readonly string[], title: string): Buffer {
  const objects: (string | Buffer)[] = []
  const add = (object: string | Buffer) => objects.push(object)
  const first = 8
  const kids = pages.map((_, index) => `${first + 2 * index} 0 R`).join(' ')
  add('<< /Type /Catalog /Pages 2 0 R /Lang (hr) >>')
  add(`<< /Type /Pages /Count ${pages.length} /Kids [${kids}] /MediaBox [0 0 ${PAGE.width} ${PAGE.height}] >>`)
  add(`<< /Title (${title.replace(/[()\\]/g, '\\$&')}) /Producer (fiskd) >>`)
  add(
    '<< /Type /Font /Subtype /Type0 /BaseFont /DejaVuSansMono /Encoding /Identity-H /DescendantFonts [<< /Type /Font ' +
      '/Subtype /CIDFontType2 /BaseFont /DejaVuSansMono /CIDSystemInfo << /Registry (Adobe) /Ordering (Identity) ' +
      `/Supplement 0 >> /FontDescriptor 5 0 R /DW ${CHARACTER_WIDTH} /CIDToGIDMap /Identity >>] /ToUnicode 7 0 R >>`,
  )
  add(
    `<< /Type /FontDescriptor /FontName /DejaVuSansMono /Flags ${FLAGS_FIXED_AND_SYMBOLIC} /FontBBox [0 ${DESCENT} ` +
      `${CHARACTER_WIDTH} ${ASCENT}] /ItalicAngle 0 /Ascent ${ASCENT} /Descent ${DESCENT} /CapHeight 729 /StemV 80 /FontFile2 6 0 R >>`,
  )
  add(stream(Buffer.from(DEFLATED_FONT, 'base64'), `/Filter /FlateDecode /Length1 ${FONT_LENGTH} `))
  add(stream(Buffer.from(unicodeOfGlyphs(), 'latin1')))
  for (const [index, page] of pages.entries()) {
    add(`<< /Type /Page /Parent 2 0 R /Resources << /Font << /F 4 0 R >> >> /Contents ${first + 2 * index + 1} 0 R >>`)
    add(stream(Buffer.from(page, 'latin1')))
  }
  return assembled(objects)
}

function stream(content: Buffer, entries = ''): Buffer {
  const [head, end] = [`<< ${entries}/Length ${content.length} >>\nstream\n`, '\nendstream']
  return Buffer.concat([Buffer.from(head), content, Buffer.from(end)])
}

function assembled(objects: readonly (string | Buffer)[]): Buffer {
  // The bytes beyond ASCII tell other programs that the file is binary.
  const parts = [Buffer.from('%PDF-1.7\n%\xe2\xe3\xcf\xd3\n', 'latin1')]
  let length = parts[0]?.length ?? 0
  const offsets: number[] = []
  for (const [index, object] of objects.entries()) {
    const body = typeof object === 'string' ? Buffer.from(object, 'latin1') : object
    const part = Buffer.concat([Buffer.from(`${index + 1} 0 obj\n`), body, Buffer.from('\nendobj\n')])
    offsets.push(length)
    length += part.length
    parts.push(part)
  }
  const entries = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('')
  const size = objects.length + 1
  const trailer = `trailer\n<< /Size ${size} /Root 1 0 R /Info 3 0 R >>\nstartxref\n${length}\n%%EOF\n`
  parts.push(Buffer.from(`xref\n0 ${size}\n0000000000 65535 f \n${entries}${trailer}`))
  return Buffer.concat(parts)
}

/** What lets programs copy and search the text. */
function unicodeOfGlyphs(): string {
  const rows = [...glyphOf].map(([char, glyph]) => `<${hex(glyph)}> <${hex(char.codePointAt(0) ?? 0)}>`)
  const blocks: string[] = []
  // A block holds at most 100 rows.
  for (let start = 0; start < rows.length; start += 100) {
    const block = rows.slice(start, start + 100)
    blocks.push(`${block.length} beginbfchar\n${block.join('\n')}\nendbfchar`)
  }
  return [
    '/CIDInit /ProcSet findresource begin 12 dict begin begincmap',
    '/CIDSystemInfo << /Registry (Adobe) /Ordering (UCS) /Supplement 0 >> def',
    '/CMapName /Adobe-Identity-UCS def /CMapType 2 def',
    '1 begincodespacerange <0000> <ffff> endcodespacerange',
    ...blocks,
    'endcmap CMapName currentdict /CMap defineresource pop end end',
  ].join('\n')
}
