const CODE_PAGES = ['cp437', 'cp850', 'cp852', 'windows1250', 'windows1252', 'iso8859-2'] as const
export type CodePage = (typeof CODE_PAGES)[number]

/** The numbers of `ESC t` in Epson printers. */
export const EPSON_PAGES: Readonly<Record<number, CodePage>> = {
  0: 'cp437',
  2: 'cp850',
  16: 'windows1252',
  18: 'cp852',
  39: 'iso8859-2',
  45: 'windows1250',
}

/** The numbers of `ESC GS t` in Star's line mode [S]. */
export const STAR_PAGES: Readonly<Record<number, CodePage>> = {
  0: 'cp437',
  1: 'cp437',
  5: 'cp852',
  32: 'windows1252',
  33: 'windows1250',
}

// 0x80 to 0xFF. Node does not know DOS code pages, and decodes ISO 8859-1 as windows-1252.
const UPPER: Record<CodePage, string> = {
  cp437: [
    'ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜ¢£¥₧ƒ',
    'áíóúñÑªº¿⌐¬½¼¡«»░▒▓│┤╡╢╖╕╣║╗╝╜╛┐',
    '└┴┬├─┼╞╟╚╔╩╦╠═╬╧╨╤╥╙╘╒╓╫╪┘┌█▄▌▐▀',
    'αßΓπΣσµτΦΘΩδ∞φε∩≡±≥≤⌠⌡÷≈°∙·√ⁿ²■\u00a0',
  ].join(''),
  cp850: [
    'ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜø£Ø×ƒ',
    'áíóúñÑªº¿®¬½¼¡«»░▒▓│┤ÁÂÀ©╣║╗╝¢¥┐',
    '└┴┬├─┼ãÃ╚╔╩╦╠═╬¤ðÐÊËÈıÍÎÏ┘┌█▄¦Ì▀',
    'ÓßÔÒõÕµþÞÚÛÙýÝ¯´\u00ad±‗¾¶§÷¸°¨·¹³²■\u00a0',
  ].join(''),
  cp852: [
    'ÇüéâäůćçłëŐőîŹÄĆÉĹĺôöĽľŚśÖÜŤťŁ×č',
    'áíóúĄąŽžĘę¬źČş«»░▒▓│┤ÁÂĚŞ╣║╗╝Żż┐',
    '└┴┬├─┼Ăă╚╔╩╦╠═╬¤đĐĎËďŇÍÎě┘┌█▄ŢŮ▀',
    'ÓßÔŃńňŠšŔÚŕŰýÝţ´\u00ad˝˛ˇ˘§÷¸°¨˙űŘř■\u00a0',
  ].join(''),
  windows1250: upperHalf('windows-1250'),
  windows1252: `€ ‚ƒ„…†‡ˆ‰Š‹Œ Ž  ‘’“”•–—˜™š›œ žŸ${upperHalf('iso-8859-1').slice(32)}`,
  'iso8859-2': upperHalf('iso-8859-2'),
}

// ESC R: the replacements of # $ @ [ \ ] ^ ` { | } ~ in each national set, by n.
const NATIONAL_CODES = '#$@[\\]^`{|}~'
const NATIONAL = [
  NATIONAL_CODES,
  '#$à°ç§^`éùè¨',
  '#$§ÄÖÜ^`äöüß',
  '£$@[\\]^`{|}~',
  '#$@ÆØÅ^`æøå~',
  '#¤ÉÄÖÅÜéäöåü',
  '#$@°\\é^ùàòèì',
  '₧$@¡Ñ¿^`¨ñ}~',
  '#$@[¥]^`{|}~',
  '#¤ÉÆØÅÜéæøåü',
  '#$ÉÆØÅÜéæøåü',
  '#$á¡Ñ¿é`íñóú',
  '#$á¡Ñ¿éüíñóú',
  '#$@[₩]^`{|}~',
  '#$ŽŠĐĆČžšđćč',
  '#¥@[\\]^`{|}~',
]

function upperHalf(label: string): string {
  return new TextDecoder(label).decode(Uint8Array.from({ length: 128 }, (_, index) => 128 + index))
}

/** The printed character of a byte from 0x20. */
export function characterOf(byte: number, page: CodePage, national: number): string {
  if (byte >= 0x80) return UPPER[page][byte - 0x80] ?? ' '
  if (byte === 0x7f) return ' '
  const character = String.fromCharCode(byte)
  const index = NATIONAL_CODES.indexOf(character)
  return (index >= 0 && NATIONAL[national]?.[index]) || character
}

/** Two bytes are a character in Chinese mode. */
export const chinese = new TextDecoder('gb18030')
