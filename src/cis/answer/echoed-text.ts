import { FISCAL_NAMESPACE } from '../namespaces.ts'
import { textOf } from './answer-text.ts'
import { inUsualEnvelope, quoted } from './usual-envelope.ts'

const USUAL = inUsualEnvelope(
  `<tns:EchoResponse xmlns:tns="${quoted(FISCAL_NAMESPACE)}">(?<text>[\\w -]*)</tns:EchoResponse>`,
)

/**
 * The text of an echo. One is asked for each minute, so the form in which the service writes it needs no XML parser.
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
  return USUAL.exec(xml)?.groups?.text
}
