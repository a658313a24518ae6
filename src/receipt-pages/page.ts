import { printedNumber } from '../domain/sale/receipt-number.ts'
import { escaped } from '../domain/texts/letter-html.ts'
import { shownDate } from '../domain/zagreb.ts'
import type { Language } from '../fiscal/ports/model.ts'
import type { Looked } from '../fiscal/receipt-links/look.ts'
import { NOTHING, TEXTS } from './texts.ts'

export type ShownReceipt = Extract<Looked, { kind: 'shown' }>

/** Who looks: the language, and how often the page has renewed itself. */
export interface Wish {
  language: Language
  renewals: number
}

export const STYLE_PATH = '/r/style.css'

/** Beside the tokens, which name all colours and measures. */
export const STYLE = `body { margin: 0; background: var(--shell); color: var(--text); font: var(--t16)/1.5 var(--font) }
main { box-sizing: border-box; max-width: 26rem; margin: 0 auto; padding: var(--s16) }
h1, h2 { font-size: var(--t20); margin: 0 0 var(--s8) }
pre { margin: var(--s16) 0; padding: var(--s16) 0; background: var(--paper); color: var(--on-paper); text-align: center; overflow-x: auto }
pre code { display: inline-block; min-width: 32ch; text-align: left; font: 0.8125rem/1.35 var(--font-code) }
p { margin: 0 0 var(--s8) }
a { color: var(--accent) }
a.button { display: block; padding: var(--s12); border: 1px solid var(--edge); border-radius: var(--r6); text-align: center; text-decoration: none }
.test, .warn { padding: var(--s8) var(--s12); border: 1px solid transparent }
.test { background: var(--test-ground); color: var(--on-test) }
.warn { background: var(--warn-ground) }
.muted { color: var(--muted); font-size: var(--t14) }
`

/** Seconds until each renewal: ten minutes in all. A gateway that is connected tells a sale within two. No clock of a phone or a kiosk counts. */
const RENEWED_AFTER_S = [2, 5, 15].flatMap((seconds, i) => Array<number>([10, 8, 36][i] ?? 0).fill(seconds))
const ENOUGH = RENEWED_AFTER_S.length

/** @returns the tag that renews the page; undefined after ten minutes */
function renewal({ language, renewals }: Wish): string | undefined {
  if (renewals >= ENOUGH) return undefined
  return `<meta http-equiv="refresh" content="${RENEWED_AFTER_S[renewals]}; url=?w=${renewals + 1}&amp;l=${language}">`
}

const html = (language: string, title: string, head: string, body: string) => `<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<title>${escaped(title)}</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<link rel="stylesheet" href="${STYLE_PATH}">${head}
</head>
<body><main>
${body}
</main></body>
</html>
`

const paragraph = (text: string, kind = '') => `<p${kind && ` class="${kind}"`}>${escaped(text)}</p>\n`

function switched({ language }: Wish): string {
  const other = language === 'hr' ? 'en' : 'hr'
  return `<p><a href="?l=${other}" lang="${other}" hreflang="${other}">${TEXTS[language].other}</a></p>`
}

/** For whom a page that renews itself is too fast to be read (WCAG 2.2.1). */
function stopped({ language }: Wish): string {
  return `<p><a href="?w=${ENOUGH}&amp;l=${language}">${TEXTS[language].stop}</a></p>\n`
}

export function comingPage(wish: Wish): string {
  const t = TEXTS[wish.language]
  const renews = renewal(wish)
  const said = renews
    ? paragraph(t.comesWhy) + paragraph(t.renews) + stopped(wish)
    : paragraph(t.comesLater) + paragraph(t.later)
  return html(wish.language, t.comes, renews ?? '', `<h1>${t.comes}</h1>\n${said}${switched(wish)}`)
}

/** @param text the receipt as on paper, without its code @param pdf the address of the PDF */
export function receiptPage({ invoice, receipt, until }: ShownReceipt, text: string, pdf: string, wish: Wish): string {
  const { document, jir, status, mode } = invoice
  const t = TEXTS[wish.language]
  const title = t.title(printedNumber(document.number, document.premisesCode, document.registerMark))
  const waits = jir === null && status !== 'expired'
  const renews = waits ? renewal(wish) : undefined
  const body = [
    `<h1>${escaped(title)}</h1>\n`,
    mode === 'test' ? paragraph(t.test, 'test') : '',
    receipt.copy === null ? '' : paragraph(t.copy),
    waits ? paragraph(`${t.noJir} ${renews ? t.renews : t.noJirLater}`, 'warn') : '',
    renews ? stopped(wish) : '',
    `<pre><code>${escaped(text)}</code></pre>\n`,
    `<p><a class="button" href="${escaped(receipt.qrPayload)}" rel="noreferrer">${t.check}</a></p>\n`,
    `<p><a class="button" href="${pdf}">${t.pdf}</a></p>\n`,
    paragraph(t.until(shownDate(until, wish.language)), 'muted'),
    switched(wish),
  ]
  return html(wish.language, title, renews ?? '', body.join(''))
}

/** What every refusal is answered with: the same bytes for all. */
export const NOTHING_PAGE = html(
  'hr',
  'Račun / Receipt',
  '',
  NOTHING.map(
    ([lang, title, text], at) =>
      `<section lang="${lang}"><h${at + 1}>${title}</h${at + 1}>${paragraph(text)}</section>`,
  ).join('\n'),
)
