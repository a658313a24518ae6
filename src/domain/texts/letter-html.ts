import { escaped } from './escaped.ts'

/** Paragraphs of a mail as HTML. */
export const letterHtml = (paragraphs: readonly string[]) =>
  `<!doctype html><meta charset="utf-8">${paragraphs.map((one) => `<p>${escaped(one)}</p>`).join('\n')}`
