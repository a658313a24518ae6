import { FISCAL_NAMESPACE, SOAP_NAMESPACE } from '../namespaces.ts'
import { textOf } from './answer-text.ts'

const PREFIX = '[A-Za-z][\\w.-]*'
const DECLARATIONS = `(?: xmlns:${PREFIX}="[^"<&]*")*`

/** An echo as SOAP stacks write it: whatever the prefixes, and nothing in it but its text. */
const USUAL = new RegExp(
  `^(?:<\\?xml version="1\\.0" encoding="UTF-8"\\?>)?\\s*<(?<soap>${PREFIX}):Envelope(?<outer>${DECLARATIONS})>\\s*<\\k<soap>:Body>` +
    `\\s*<(?<tns>${PREFIX}):EchoResponse(?<inner>${DECLARATIONS})>(?<text>[\\w -]*)</\\k<tns>:EchoResponse>` +
    '\\s*</\\k<soap>:Body>\\s*</\\k<soap>:Envelope>\\s*$',
)

/**
 * The text of an echo. One is asked for each minute, so its usual form needs no XML parser.
 * @returns undefined when the body is no echo
 */
export async function echoedText(body: Buffer): Promise<string | undefined> {
  const text = textOf(body)
  if (!text.includes('EchoResponse')) return undefined
  try {
    return usualEcho(text) ?? (await import('./any-answer.ts')).echoInXml(body)
  } catch {
    return undefined
  }
}

/** @returns undefined for everything else, however little it differs */
export function usualEcho(xml: string): string | undefined {
  const { soap, outer = '', tns, inner = '', text } = USUAL.exec(xml)?.groups ?? {}
  const isDeclared =
    outer.includes(` xmlns:${soap}="${SOAP_NAMESPACE}"`) && inner.includes(` xmlns:${tns}="${FISCAL_NAMESPACE}"`)
  return isDeclared ? text : undefined
}
