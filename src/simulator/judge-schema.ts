import { XmlDocument, type XmlElement, XsdValidator } from 'libxml2-wasm'
import { type CisError, cisError } from './errors.ts'
import { RACUN_XSD } from './schema.ts'
import { textAt } from './xml.ts'
import { momentsOf } from './zagreb.ts'

let validator: XsdValidator | null = null

/** `s001` when the request does not match the schema, or contains a date that does not exist. */
export function judgeSchema(request: XmlElement): CisError | null {
  validator ??= compile()
  try {
    validator.validate(request)
  } catch (error) {
    return cisError('s001', firstLine(error))
  }
  for (const path of [
    ['Zaglavlje', 'DatumVrijeme'],
    ['Racun', 'DatVrijeme'],
  ]) {
    const text = textAt(request, ...path) ?? ''
    if (momentsOf(text) === null) return cisError('s001', `${path.join('/')}: ${text}`)
  }
  return null
}

function compile(): XsdValidator {
  const schema = XmlDocument.fromString(RACUN_XSD)
  try {
    return XsdValidator.fromDoc(schema)
  } finally {
    schema.dispose()
  }
}

function firstLine(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).split('\n')[0] ?? ''
}
