import { MODES, type Mode } from '../../domain/sale/sale.ts'

/**
 * Who the service is by the subject of the certificate that signs its answers (docs/spec/cis.md, Endpoints). A common name
 * alone can be written into any company's certificate; the issuer checks whose OIB an organizationIdentifier is.
 */
export interface ServiceName {
  organizationIdentifier: string
  /** One of these must be the subject's common name. */
  commonNames: readonly string[]
}

export const SERVICE_NAMES: Record<Mode, ServiceName> = {
  test: { organizationIdentifier: 'HR02994650199', commonNames: ['fiskalcistest', 'apis it test'] },
  live: { organizationIdentifier: 'HR18683136487', commonNames: ['fiskalcis'] },
}

/**
 * Reads `test=ID:CN|CN;live=ID:CN`: a renamed ministry must not stop a fleet.
 * @returns a mode that is left out keeps its names; undefined for any other form
 */
export function parseServiceNames(text: string): Record<Mode, ServiceName> | undefined {
  const names = { ...SERVICE_NAMES }
  const seen = new Set<string>()
  for (const part of text.split(';')) {
    const [, mode, organizationIdentifier, given] = /^\s*(\w+)=([^:|=]+):(.+)$/.exec(part) ?? []
    const commonNames = given?.split('|').map((name) => name.trim())
    if (!isMode(mode) || seen.has(mode) || !organizationIdentifier?.trim() || !commonNames?.every(Boolean))
      return undefined
    seen.add(mode)
    names[mode] = { organizationIdentifier: organizationIdentifier.trim(), commonNames }
  }
  return names
}

const isMode = (text: string | undefined): text is Mode => MODES.some((mode) => mode === text)
