import { createHash } from 'node:crypto'
import { type Again, ERRORS, type ErrorCode, typeOf } from '../../domain/errors.ts'
import { FISCAL_ERRORS, type FiscalErrorCode } from '../../domain/sale/invoice.ts'
import { explainCodes, RESTRICTIVE_CODES } from '../../domain/sale/restrictive-codes.ts'

const STYLE = `
:root { color-scheme: light dark; }
body { font: 1rem/1.6 system-ui, sans-serif; max-width: 46rem; margin: 2rem auto; padding: 0 1rem; }
h1 { overflow-wrap: anywhere; }
h2 { font-size: 1.1rem; margin: 1.5rem 0 0.25rem; }
p { margin: 0.25rem 0; }
code { font-family: ui-monospace, monospace; }
th, td { padding: 0.25rem 0.75rem 0.25rem 0; text-align: left; vertical-align: top; }
`

/** The pages hold text and one style sheet, and so nothing else is let in. */
export const PAGE_POLICY = `default-src 'none'; style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'; frame-ancestors 'none'; base-uri 'none'`

/** Every code that a response of `/v1` may carry, in `error.code` or in `fiscal_error.code`. */
const DOCUMENTED_CODES = [...new Set([...Object.keys(ERRORS), ...Object.keys(FISCAL_ERRORS)])].sort()

/** The page of one error code: what it means, what to do, whether to repeat. Undefined for an unknown code. */
export function errorPage(code: string): string | undefined {
  const sections = [
    ...(Object.hasOwn(ERRORS, code) ? refusalSections(code as ErrorCode) : []),
    ...(Object.hasOwn(FISCAL_ERRORS, code) ? fiscalSections(code as FiscalErrorCode) : []),
  ]
  return sections.length === 0 ? undefined : page(code, [`<h1><code>${code}</code></h1>`, ...sections])
}

/** All codes, each leading to its page. */
export function errorIndexPage(): string {
  const items = DOCUMENTED_CODES.map((code) => {
    const { means } = { ...FISCAL_ERRORS, ...ERRORS }[code as ErrorCode | FiscalErrorCode]
    return `<dt><a href="/docs/errors/${code}"><code>${code}</code></a></dt><dd>${prose(means)}</dd>`
  })
  return page('Error codes', ['<h1>Error codes</h1>', `<dl>${items.join('\n')}</dl>`])
}

const AGAIN: Record<Again, string> = {
  no: 'Not unchanged: the answer would be the same.',
  later:
    'Once the cause is gone, yes: the same bytes. Being refused has not used up the `Idempotency-Key`, and a sale that ' +
    'happened has to be reported.',
  yes: 'Yes, the same bytes with the same `Idempotency-Key`: nothing is ever done twice.',
}

function refusalSections(code: ErrorCode): string[] {
  const { statuses, means, fix, again } = ERRORS[code]
  const status = statuses.map((number) => `${number} (<code>${typeOf(number)}</code>)`).join(', ')
  const outcome =
    statuses[0] < 500 ? 'This request was not done.' : 'What became of the request is said when it is repeated.'
  return [
    `<p>In <code>error.code</code>, HTTP ${status}. ${outcome}</p>`,
    section('What it means', means),
    section('What to do', fix),
    section('Send it again?', AGAIN[again]),
  ]
}

function fiscalSections(code: FiscalErrorCode): string[] {
  const { means, fix } = FISCAL_ERRORS[code]
  return [
    '<p>In <code>fiscal_error.code</code> of an invoice, HTTP 200. <strong>The sale is valid:</strong> print the receipt without a JIR.</p>',
    section('What it means', means),
    section('What to do', fix),
    section(
      'Send it again?',
      code === 'upstream_unavailable'
        ? 'No: fiskd does, as long as `retry_scheduled` is true.'
        : 'Not the sale, which exists: `POST /v1/invoices/{id}/retry` once the cause is gone.',
    ),
    ...(code === 'upstream_rejected' ? [restrictiveTable()] : []),
  ]
}

/** The codes that `message` names when the tax authority answers `s013`. */
function restrictiveTable(): string {
  const rows = explainCodes(RESTRICTIVE_CODES, 'en').map(
    ({ label, means, fix }) => `<tr><th scope="row">${label}</th><td>${prose(means)}</td><td>${prose(fix)}</td></tr>`,
  )
  return `<h2>Restrictive errors (s013)</h2>
<table>
<tr><th scope="col">In <code>message</code></th><th scope="col">What it means</th><th scope="col">What to do</th></tr>
${rows.join('\n')}
</table>`
}

function section(title: string, text: string): string {
  return `<h2>${title}</h2>\n<p>${prose(text)}</p>`
}

/** Our own words, with what stands between backticks as code. */
function prose(text: string): string {
  const safe = text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
  return safe.replaceAll(/`([^`]+)`/g, '<code>$1</code>')
}

function page(title: string, parts: string[]): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title} - fiskd</title>
<style>${STYLE}</style>
</head>
<body>
<p><a href="/docs">API reference</a> / <a href="/docs/errors">Error codes</a></p>
${parts.join('\n')}
</body>
</html>
`
}
