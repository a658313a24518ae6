import { isOib } from '../../domain/oib.ts'
import { clean } from '../text/columns.ts'

export type Masker = ReturnType<typeof createMasker>

/** Ids that may hold the digits of an OIB by chance: they are kept whole. */
const ID =
  /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}|(?:inv_)?[0-9a-f]{32}(?:[0-9a-f]{8}|[0-9a-f]{32})?/
/** The value of a JSON field that is a number, such as a count of bytes: OIBs are texts there. */
const NUMBER_FIELD = /(?<="\s*:\s*)\d{11}(?=\s*[,}\]\n]|$)/
const OIBS = new RegExp(
  `(?<![\\w-])(?:${ID.source})(?![\\w-])|${NUMBER_FIELD.source}|(?<oib>(?<!\\d)\\d{11}(?!\\d))`,
  'gi',
)

const PRIVATE_KEY = /-----BEGIN [A-Z ]*PRIVATE KEY-----(?:(?!-----END)[\s\S])*(?:-----END [A-Z ]*PRIVATE KEY-----|$)/g
const API_KEY = /fisk_(?:test|live)_[\w-]+/g
/** Up to the last @ of the word: passwords hold others. */
const USER_OF_URL = /\b([a-z][a-z0-9+.-]{0,20}:\/\/)[^\s"'<>]{0,2000}@/gi
const CREDENTIALS = /\b(Bearer|Basic)\s+[\w.~+/=-]{6,}/gi
const COOKIE = /(fiskd_session=)[^;\s"',]+/g
/** From the word that tells on; all of these are bounded, for a log may hold a word of a megabyte. */
const SECRET_NAME = String.raw`(?:passphrase|passwor[dt]|passwd|secret|token|cookie|csrf|authorization|credential|api[_-]?key|private[_-]?key|vault[_-]?key)[\w.-]{0,64}`
/** `"name": "value"` in JSON, also where JSON stands in a JSON text. */
const SECRET_FIELD = new RegExp(
  String.raw`(${SECRET_NAME}\\{0,8}["']\s{0,20}:\s{0,20})(\\{0,8}["'])[\s\S]*?(?<!\\)\2`,
  'gi',
)
/** `name=value`, `name: value`; a path is not the secret itself. */
const SECRET_SETTING = new RegExp(
  String.raw`(${SECRET_NAME}\s{0,20}[=:]\s{0,20})("[^"\n]*"|'[^'\n]*'|[^\s"',;}{\\]+)`,
  'gi',
)
const MAIL = /[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){1,10}/g
const HOME = /(\/home\/)([^/\s"':,]+)/g

/** A name of fewer letters is in many words. */
const SHORTEST = 3

/** Replaces secrets and names in texts; the same one by the same mask in every text of one masker. */
export function createMasker() {
  const masks = new Map<string, string>()
  const counts = new Map<string, number>()
  const known = new Map<string, string>()

  function maskOf(kind: string, text: string): string {
    const key = `${kind} ${text.normalize('NFC').toLowerCase()}`
    const given = masks.get(key)
    if (given) return given
    const count = (counts.get(kind) ?? 0) + 1
    counts.set(kind, count)
    const mask = `${kind}-${count}`
    masks.set(key, mask)
    return mask
  }

  function maskKnown(text: string): string {
    if (known.size === 0) return text
    const longestFirst = [...known.keys()].sort((one, other) => other.length - one.length)
    // Not inside of another word.
    const any = new RegExp(`(?<![\\p{L}\\p{N}])(?:${longestFirst.map(literally).join('|')})(?![\\p{L}\\p{N}])`, 'giu')
    return text.replace(any, (found) => known.get(found.toLowerCase()) ?? '***')
  }

  return {
    /** Something that is masked wherever it stands from now on, e.g. the name of a company. Short ones cannot be told. */
    know(kind: string, text: string | null | undefined): void {
      if (!text || text.trim().length < SHORTEST) return
      const mask = maskOf(kind, text)
      for (const form of formsOf(text)) known.set(form.toLowerCase(), mask)
    },
    mask(text: string): string {
      const bare = text
        .replace(PRIVATE_KEY, '[private key]')
        .replace(API_KEY, (key) => maskOf('API-KEY', key))
        .replace(COOKIE, '$1***')
        .replace(CREDENTIALS, '$1 ***')
        .replace(USER_OF_URL, '$1***@')
        .replace(SECRET_FIELD, '$1$2***$2')
        .replace(SECRET_SETTING, (whole, name: string, value: string) => (isKept(value) ? whole : `${name}***`))
      return maskKnown(bare)
        .replace(MAIL, (mail) => (mail.startsWith('***@') ? mail : maskOf('MAIL', mail)))
        .replace(HOME, (_, home: string, user: string) => home + maskOf('USER', user))
        .replace(OIBS, (found, ...more) => {
          const { oib } = more.at(-1) as { oib?: string }
          return isOib(oib) ? maskOf('OIB', oib) : found
        })
    },
  }
}

/** The forms of a name: as it is, cleaned, and decomposed (NFD), each also as in JSON and in a URL. */
function formsOf(text: string): string[] {
  return [text, clean(text), text.normalize('NFD')].flatMap((form) => {
    const inAddress = encodeURIComponent(form.replace(/\p{Cs}/gu, ''))
    return [form, JSON.stringify(form).slice(1, -1), inAddress, inAddress.replaceAll('%20', '+')]
  })
}

const isKept = (value: string) => /^["']?(\*\*\*|\/|API-KEY-\d|\[private key|true\b|false\b|null\b)/.test(value)

const literally = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
