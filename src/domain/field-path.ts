/** `/vat/0/rate`, a JSON pointer (RFC 6901), as people write it: `vat[0].rate`. */
export function fieldPath(pointer: string): string {
  return pointer
    .slice(1)
    .split('/')
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
    .reduce((path, part) => (/^\d+$/.test(part) ? `${path}[${part}]` : path ? `${path}.${part}` : part), '')
}

const TOKENS = /"[^"\\]*(?:\\.[^"\\]*)*"|[[\]{},:]/g

/** Where a JSON object has a name twice, however escaped, as `vat[0].rate`: readers differ in the value they take. */
export function duplicateKey(text: string): string | undefined {
  /** The arrays and objects around a token, each with the place in it. */
  const within: { names: Set<string> | null; at: string | number }[] = []
  let latest = ''
  for (const [token] of text.matchAll(TOKENS)) {
    const here = within.at(-1)
    if (token === '{') within.push({ names: new Set(), at: '' })
    else if (token === '[') within.push({ names: null, at: 0 })
    else if (token === '}' || token === ']') within.pop()
    else if (token.startsWith('"')) latest = token
    else if (here && token === ',' && typeof here.at === 'number') here.at++
    else if (here?.names && token === ':') {
      here.at = latest.includes('\\') ? String(JSON.parse(latest)) : latest.slice(1, -1)
      if (here.names.has(here.at))
        return within
          .map(({ at }) => (typeof at === 'number' ? `[${at}]` : `.${at}`))
          .join('')
          .replace(/^\./, '')
      here.names.add(here.at)
    }
  }
  return undefined
}
