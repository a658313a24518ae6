import type { PrinterSettings } from '../../domain/printer.ts'

/** The upper half of code page 852, which text decoders do not know. */
const CP852 =
  'ÇüéâäůćçłëŐőîŹÄĆÉĹĺôöĽľŚśÖÜŤťŁ×čáíóúĄąŽžĘę¬źČş«»░▒▓│┤ÁÂĚŞ╣║╗╝Żż┐└┴┬├─┼Ăă╚╔╩╦╠═╬¤đĐĎËďŇÍÎě┘┌█▄ŢŮ▀ÓßÔŃńňŠšŔÚŕŰýÝţ´\u00ad˝˛ˇ˘§÷¸°¨˙űŘř■\u00a0'

const UPPER_HALF = Uint8Array.from({ length: 128 }, (_, index) => 128 + index)

const UPPER_HALVES: Record<PrinterSettings['encoding'], () => string> = {
  cp852: () => CP852,
  windows1250: () => new TextDecoder('windows-1250').decode(UPPER_HALF),
  'iso8859-2': () => new TextDecoder('iso-8859-2').decode(UPPER_HALF),
  ascii: () => '',
}

const known = new Map<PrinterSettings['encoding'], ReadonlySet<string>>()

/** The visible characters beyond ASCII that an encoding has. */
export function charactersOf(encoding: PrinterSettings['encoding']): ReadonlySet<string> {
  const found =
    known.get(encoding) ?? new Set([...UPPER_HALVES[encoding]()].filter((char) => /^[^\p{C}\p{Z}]$/u.test(char)))
  known.set(encoding, found)
  return found
}

const tables = new Map<PrinterSettings['encoding'], ReadonlyMap<string, number>>()

/** The bytes of a text that has only characters of its encoding (`printable`); others become `?`. */
export function encodeText(text: string, encoding: PrinterSettings['encoding']): Uint8Array {
  const table = tables.get(encoding) ?? new Map([...UPPER_HALVES[encoding]()].map((char, index) => [char, 128 + index]))
  tables.set(encoding, table)
  return Uint8Array.from(text, (char) => (char <= '~' ? char.charCodeAt(0) : (table.get(char) ?? 0x3f)))
}
