/** One element: its tag, its content, and its complete bytes. */
export interface DerElement {
  tag: number
  content: Buffer
  raw: Buffer
}

export const TAG = {
  boolean: 0x01,
  integer: 0x02,
  bitString: 0x03,
  octetString: 0x04,
  objectIdentifier: 0x06,
  utcTime: 0x17,
  generalizedTime: 0x18,
  sequence: 0x30,
} as const

/**
 * Reads consecutive elements. Every method throws when the data is damaged or the element is not the expected one. Keeps
 * no objects: real revocation lists have tens of thousands of entries, too many for a general parser.
 */
export function readDer(bytes: Buffer) {
  let at = 0
  const more = () => at < bytes.length
  const take = (...tags: number[]): DerElement => {
    const [start, { tag, begin, end }] = [at, spanAt(bytes, at, ...tags)]
    at = end
    return { tag, content: bytes.subarray(begin, end), raw: bytes.subarray(start, end) }
  }
  return {
    more,
    /** The next element; it must have one of these tags, if any are given. */
    take,
    /** As `take`; undefined when the next element has another tag or there is none. */
    takeIf: (...tags: number[]) => (more() && tags.includes(bytes.readUInt8(at)) ? take(...tags) : undefined),
    /** Checks that no bytes follow. */
    end(): void {
      if (more()) throw new Error('something follows')
    },
  }
}

/** For lists of 50,000 entries: a slice of the bytes takes longer than reading. @param tags it must have one, if any */
export function spanAt(bytes: Buffer, start: number, ...tags: number[]): { tag: number; begin: number; end: number } {
  const [tag, first] = [bytes.readUInt8(start), bytes.readUInt8(start + 1)]
  if (tags.length > 0 && !tags.includes(tag)) throw new Error('an element has another tag than it should')
  const lengthBytes = first < 0x80 ? 0 : first - 0x80
  // A zero length of the length is the indefinite form, which DER does not allow.
  if (first === 0x80 || lengthBytes > 4) throw new Error('an element has an impossible length')
  const begin = start + 2 + lengthBytes
  const end = begin + (lengthBytes === 0 ? first : bytes.readUIntBE(start + 2, lengthBytes))
  if (end > bytes.length) throw new Error('an element is cut off')
  return { tag, begin, end }
}
