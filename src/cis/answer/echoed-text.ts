import { attempt } from '../../domain/attempt.ts'
import { soapContent } from './soap-body.ts'
import { condition, readXml, textAt } from './xml-reader.ts'

const isEcho = condition('self::tns:EchoResponse[not(node()[not(self::text())])]')
const textIn = textAt('.')

/** @returns the text of an echo; undefined when the body is no echo */
export function echoedText(body: Buffer): string | undefined {
  const read = () =>
    readXml(body, ({ root }) => {
      const content = soapContent(root)
      return content && isEcho(content) ? textIn(content) : undefined
    })
  return attempt(read, undefined)
}
