/** Deeper elements are not indented any further: XML from outside must not become much longer by it. */
const DEEPEST = 30

/**
 * XML with each element in a line of its own, for people to read. It is read forward once and never judged: what is no
 * markup stands there as it came. An element that holds a text alone stays in one line.
 */
export function prettyXml(xml: string): string {
  const lines: string[] = []
  let depth = 0
  /** The last line may still take a text and its end tag. */
  let isOpen = false
  for (const token of tokensOf(xml)) {
    const isEnd = token.startsWith('</')
    if (isEnd) depth = Math.max(0, depth - 1)
    if (isOpen && (isEnd || !token.startsWith('<'))) lines.push(`${lines.pop()}${token}`)
    else lines.push(`${'  '.repeat(Math.min(depth, DEEPEST))}${token}`)
    const isStart = !isEnd && /^<[^!?]/.test(token) && !token.endsWith('/>')
    if (isStart) depth++
    isOpen = isStart || (isOpen && !token.startsWith('<'))
  }
  return lines.join('\n')
}

/** The ends of sections that may hold signs that are no markup. */
const CLOSED_BY: [string, string][] = [
  ['<!--', '-->'],
  ['<![CDATA[', ']]>'],
  ['<?', '?>'],
]

/** Tags, and texts between them without the spaces around them. */
function* tokensOf(xml: string): Generator<string> {
  for (let at = 0; at < xml.length; ) {
    if (xml[at] !== '<') {
      const next = xml.indexOf('<', at)
      const end = next === -1 ? xml.length : next
      const text = xml.slice(at, end).trim()
      if (text !== '') yield text
      at = end
      continue
    }
    const end = endOf(xml, at)
    yield xml.slice(at, end)
    at = end
  }
}

/** Behind the tag that begins here; the end of everything when it has none. */
function endOf(xml: string, start: number): number {
  const [, closing] = CLOSED_BY.find(([opening]) => xml.startsWith(opening, start)) ?? []
  if (closing !== undefined) {
    const end = xml.indexOf(closing, start)
    return end === -1 ? xml.length : end + closing.length
  }
  let quote = ''
  for (let at = start + 1; at < xml.length; at++) {
    const sign = xml[at] ?? ''
    if (quote !== '') {
      if (sign === quote) quote = ''
    } else if (sign === '"' || sign === "'") quote = sign
    else if (sign === '>') return at + 1
  }
  return xml.length
}
