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

/**
 * Sections that may hold signs that are no markup, tags with their quotes, and texts; what has no end reaches to that of
 * everything. Each sign is looked at once: no part of it can match in two ways.
 */
const TOKEN =
  /<!(?=--)[\s\S]*?(?:-->|$)|<!(?=\[CDATA\[)[\s\S]*?(?:\]\]>|$)|<(?=\?)[\s\S]*?(?:\?>|$)|<(?:"[^"]*(?:"|$)|'[^']*(?:'|$)|[^>"'])*>?|[^<]+/g

/** Tags, and texts between them without the spaces around them. */
function tokensOf(xml: string): string[] {
  const tokens = xml.match(TOKEN) ?? []
  return tokens.map((token) => (token.startsWith('<') ? token : token.trim())).filter((token) => token !== '')
}
