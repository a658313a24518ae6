import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { XmlBufferInputProvider, XmlDocument, XsdValidator, xmlRegisterInputProvider } from 'libxml2-wasm'

/** The folder of the specification that has the one of messages about sales. */
export const OFFICIAL_SCHEMA = fileURLToPath(new URL('../../../shared/spec/schema/', import.meta.url))

export const hasOfficialSchema = existsSync(OFFICIAL_SCHEMA)

/** The newer one, with the messages about other things than sales. */
export const OTHER_MESSAGES = fileURLToPath(new URL('../../../shared/spec/schema-1.9/', import.meta.url))

/** What judges a message by the authority's own schema. @throws Error where the specification is not there */
export function officialSchema(folder = OFFICIAL_SCHEMA): XsdValidator {
  const file = (name: string) => readFileSync(join(folder, name))
  xmlRegisterInputProvider(new XmlBufferInputProvider({ 'xmldsig-core-schema.xsd': file('xmldsig-core-schema.xsd') }))
  return XsdValidator.fromDoc(XmlDocument.fromBuffer(file('FiskalizacijaSchema.xsd')))
}
