import { soapContent } from './soap-body.ts'
import { condition, textAt } from './xml-path.ts'
import { readXml } from './xml-reader.ts'

const isEcho = condition('self::tns:EchoResponse[not(node()[not(self::text())])]')
const textIn = textAt('.')

/** @returns undefined when it is no echo @throws XmlRefusal when the body is not read as XML */
export function echoInXml(body: Buffer): string | undefined {
  return readXml(body, ({ root }) => {
    const content = soapContent(root)
    return content && isEcho(content) ? textIn(content) : undefined
  })
}
