/**
 * Where an object of a JSON text has a name twice, as `vat[0].rate`: readers take the first value, the last or both. Names
 * that are escaped differently are the same name.
 * @param value what the text was read as: it has fewer members than the text where one is there twice
 */
export function duplicateKey(text: string, value: unknown): string | undefined {
  return membersIn(text) === membersOf(value) ? undefined : firstTwice(text)
}

const [QUOTE, BACKSLASH, COLON] = [0x22, 0x5c, 0x3a]

/** Colons outside of strings. */
function membersIn(text: string): number {
  let members = 0
  for (let at = 0; at < text.length; at++) {
    const sign = text.charCodeAt(at)
    if (sign === COLON) members++
    if (sign !== QUOTE) continue
    for (at++; text.charCodeAt(at) !== QUOTE; at++) if (text.charCodeAt(at) === BACKSLASH) at++
  }
  return members
}

function membersOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0
  const members: unknown[] = Object.values(value)
  return members.reduce<number>((sum, member) => sum + membersOf(member), Array.isArray(value) ? 0 : members.length)
}

const TOKENS = /"[^"\\]*(?:\\.[^"\\]*)*"|[[\]{},:]/g

function firstTwice(text: string): string | undefined {
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
      const name: string = JSON.parse(latest)
      here.at = name
      if (here.names.has(name)) return within.reduce((path, { at }) => placeIn(path, at), '')
      here.names.add(name)
    }
  }
  return undefined
}

function placeIn(path: string, at: string | number): string {
  if (typeof at === 'number') return `${path}[${at}]`
  return path ? `${path}.${at}` : at
}
