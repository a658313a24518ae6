const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }

/** A text as it stands in HTML: names come from users and gateways, and may contain markup. */
export const escaped = (text: string) => text.replace(/[&<>"']/g, (sign) => ENTITIES[sign] as string)

/** Paragraphs of a mail as HTML. @param link an address that is a paragraph of its own */
export const letterHtml = (paragraphs: readonly string[], link?: string) =>
  `<!doctype html><meta charset="utf-8">${paragraphs.map((one) => `<p>${one === link ? anchor(one) : escaped(one)}</p>`).join('\n')}`

const anchor = (address: string) => `<a href="${escaped(address)}">${escaped(address)}</a>`
