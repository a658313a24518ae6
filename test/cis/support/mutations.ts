import type { Chance } from '../../../scripts/chaos/chance.ts'

const PIECES = [
  ...[' ', '\n', '\t', '\r', '\r\n', '&#10;', '&#x20;', '&amp;', '&lt;', '&e;', '\u00a0', '\u017e', '\u0000'],
  ...[
    '<!-- -->',
    '<![CDATA[]]>',
    '<![CDATA[x]]>',
    '<?x y?>',
    '<x/>',
    '<tns:x/>',
    '<!DOCTYPE x>',
    ']]>',
    '/>',
    '>',
    '<',
  ],
  ...[
    ' Id="G1"',
    ' ID="G1"',
    ' xml:id="G1"',
    ' xmlns="urn:x"',
    ' xmlns:tns="urn:x"',
    ' xmlns:a="urn:x"',
    ' xml:lang="hr"',
  ],
  ...['"', "'", '=', 'A', '0', 'f', '-', 'tns:', 'http://www.w3.org/2001/10/xml-exc-c14n#', '<tns:Jir></tns:Jir>'],
] as [string, ...string[]]

/** Tags, texts and attribute values: what XML consists of. */
const TOKEN = /<[^>]*>|[^<>]+/g

/** Changes a document in one place: a character, a piece, or a whole tag or text. */
export function mutated(xml: string, chance: Chance): string {
  const at = Math.floor(chance.next() * xml.length)
  const [before, after] = [xml.slice(0, at), xml.slice(at)]
  const token = () => chance.pick(tokensOf(xml))
  const one = token()
  return chance.pick<() => string>([
    () => before + after.slice(1),
    () =>
      before + String.fromCharCode((after.charCodeAt(0) || 0) ^ (1 << Math.floor(chance.next() * 7))) + after.slice(1),
    () => before + chance.pick(PIECES) + after,
    () => before + chance.pick(PIECES) + after.slice(1),
    () => xml.slice(0, one.index) + xml.slice(one.index + one[0].length),
    () => xml.slice(0, one.index) + one[0] + xml.slice(one.index),
    () => xml.slice(0, one.index) + token()[0] + xml.slice(one.index),
    () => xml.slice(0, one.index) + chance.pick(PIECES) + xml.slice(one.index),
    () => swapped(xml, one, token()),
    () => xml.replaceAll(one[0], () => one[0].toUpperCase()),
    () => xml.replaceAll("'", '"').replaceAll(one[0], () => one[0].replaceAll('"', "'")),
    // In what an answer says and in its identifiers: the shape stays as it is.
    () => xml.replace(/[0-9a-f](?=[0-9a-f-]*<\/tns:(?:Jir|IdPoruke)>)/, () => chance.pick(['0', '7', 'b', 'B', 'g'])),
    () => xml.replaceAll(/(?<= Id="|URI="#)[^"]*/g, () => 'G0x7f'),
    () => xml.replace(/(\d\d)\.(\d\d)\.(\d{4}T)/, () => `${chance.pick(['31', '30', '29', '00'])}.02.${'2027'}T`),
    () => spaced(xml, chance),
  ])()
}

function tokensOf(xml: string) {
  return [...xml.matchAll(TOKEN)] as [RegExpExecArray, ...RegExpExecArray[]]
}

function swapped(xml: string, one: RegExpExecArray, other: RegExpExecArray): string {
  const [first, second] = one.index < other.index ? [one, other] : [other, one]
  if (first.index === second.index) return xml
  const [firstEnd, secondEnd] = [first.index + first[0].length, second.index + second[0].length]
  return xml.slice(0, first.index) + second[0] + xml.slice(firstEnd, second.index) + first[0] + xml.slice(secondEnd)
}

/** Other white space between the elements of the SignedInfo. */
function spaced(xml: string, chance: Chance): string {
  return xml.replace(/<SignedInfo>.*<\/SignedInfo>/s, (info) =>
    info.replaceAll(/>\s*</g, () => `>${chance.pick(['', ' ', '\n', '\n\n  ', '\t'])}<`),
  )
}
