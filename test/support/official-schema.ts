import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { XmlBufferInputProvider, XmlDocument, XsdValidator, xmlRegisterInputProvider } from 'libxml2-wasm'

/** The folder of the specification that has it. */
export const OFFICIAL_SCHEMA = fileURLToPath(new URL('../../../shared/spec/schema/', import.meta.url))

export const hasOfficialSchema = existsSync(OFFICIAL_SCHEMA)

/** What judges a message by the authority's own schema. @throws Error where the specification is not there */
export function officialSchema(): XsdValidator {
  const file = (name: string) => readFileSync(join(OFFICIAL_SCHEMA, name))
  xmlRegisterInputProvider(new XmlBufferInputProvider({ 'xmldsig-core-schema.xsd': file('xmldsig-core-schema.xsd') }))
  return XsdValidator.fromDoc(XmlDocument.fromBuffer(file('FiskalizacijaSchema.xsd')))
}
