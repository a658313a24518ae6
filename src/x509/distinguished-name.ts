import { Set as AsnSet, type BaseBlock, fromBER, ObjectIdentifier, Sequence } from 'asn1js'
import type { RelativeDistinguishedNames } from 'pkijs'

/** A name (RFC 5280, 4.1.2.4) as DER. */
export type EncodedName = Pick<RelativeDistinguishedNames, 'valueBeforeDecode'>

export interface NameAttribute {
  /** Dotted decimal. */
  type: string
  /** The text of any string type; null when the value is not a string. */
  text: string | null
  /** The value's DER, for `#hex`. */
  der: Buffer
}

/** The attribute types that have a name in RFC 2253, section 2.3. */
export const RFC_2253_NAMES: Record<string, string> = {
  '2.5.4.3': 'CN',
  '2.5.4.6': 'C',
  '2.5.4.7': 'L',
  '2.5.4.8': 'ST',
  '2.5.4.9': 'STREET',
  '2.5.4.10': 'O',
  '2.5.4.11': 'OU',
  '0.9.2342.19200300.100.1.1': 'UID',
  '0.9.2342.19200300.100.1.25': 'DC',
}

/** Registered short names (RFC 4514, section 3, and the IANA registry of LDAP parameters). */
const SHORT_NAMES: Record<string, string> = {
  ...RFC_2253_NAMES,
  '2.5.4.4': 'SN',
  '2.5.4.5': 'serialNumber',
  '2.5.4.12': 'title',
  '2.5.4.42': 'givenName',
  '2.5.4.97': 'organizationIdentifier',
}

/** The relative names in the order of the certificate, the most general one first; each has at least one attribute. */
function readName(name: EncodedName): NameAttribute[][] {
  const parsed = fromBER(name.valueBeforeDecode)
  if (parsed.offset === -1 || !(parsed.result instanceof Sequence)) return []
  return parsed.result.valueBlock.value.map((rdn) =>
    rdn instanceof AsnSet ? rdn.valueBlock.value.flatMap(readAttribute) : [],
  )
}

/** The texts of all attributes of one type, in the order of the certificate. */
export function attributeTexts(name: EncodedName, type: string): string[] {
  return readName(name)
    .flat()
    .filter((attribute) => attribute.type === type)
    .flatMap((attribute) => attribute.text ?? [])
}

/** RFC 4514: the most specific part first, as in `CN=A,O=B,C=HR`; types not in `shortNames` are written as numbers. */
export function formatName(name: EncodedName, shortNames = SHORT_NAMES): string {
  return readName(name)
    .reverse()
    .map((rdn) => rdn.map((attribute) => formatAttribute(attribute, shortNames)).join('+'))
    .join(',')
}

function readAttribute(pair: BaseBlock): NameAttribute[] {
  if (!(pair instanceof Sequence)) return []
  const [type, value] = pair.valueBlock.value
  if (!(type instanceof ObjectIdentifier) || value === undefined) return []
  const text = 'getValue' in value && typeof value.getValue === 'function' ? value.getValue() : null
  return [
    {
      type: type.getValue(),
      text: typeof text === 'string' ? text : null,
      der: Buffer.from(value.valueBeforeDecodeView),
    },
  ]
}

function formatAttribute({ type, text, der }: NameAttribute, shortNames: Record<string, string>): string {
  const shortName = shortNames[type]
  if (shortName === undefined || text === null) return `${shortName ?? type}=#${der.toString('hex')}`
  return `${shortName}=${escapeValue(text)}`
}

/** Escapes as in RFC 4514, section 2.4, and also control characters, so that a name cannot break a log line. */
function escapeValue(text: string): string {
  return text
    .replace(/[\\"+,;<>]/g, '\\$&')
    .replace(/^[ #]|(?<!^) $/g, '\\$&')
    .replace(
      /\p{Cc}/gu,
      (character) =>
        `\\${Buffer.from(character, 'utf8')
          .toString('hex')
          .replace(/..(?=.)/g, '$&\\')}`,
    )
}
