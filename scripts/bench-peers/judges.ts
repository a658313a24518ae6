import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { XmlElement } from 'libxml2-wasm'
import type { ReceivedMessage } from '../../src/simulator/index.ts'
import { withRequest } from '../../src/simulator/soap.ts'
import { hasOfficialSchema, OFFICIAL_SCHEMA, officialSchema } from '../../test/support/official-schema.ts'
import type { Scratch } from '../chaos/scratch.ts'

/** What judges messages beside the simulated authority; a judge that this machine lacks says so. */
export interface Judges {
  names: string[]
  /** What is wrong with a message; nothing when no judge finds anything. */
  faultsOf(message: ReceivedMessage): string[]
}

/** @param authorities PEM file of the CAs that a signer has to come from */
export function findJudges(authorities: string[], scratch: Scratch): Judges {
  const official = hasOfficialSchema ? faultBySchema() : undefined
  const xmlsec = spawnSync('xmlsec1', ['--version']).status === 0
  const names = [
    'the simulated authority',
    official ? "the authority's official schema" : `NOT the official schema: ${OFFICIAL_SCHEMA} is not there`,
    xmlsec ? 'xmlsec1' : 'NOT xmlsec1: apt install xmlsec1',
  ]
  const trusted = authorities.flatMap((path) => ['--trusted-pem', path])
  return {
    names,
    faultsOf({ requestXml, errors, zkiMatches }) {
      const faults = errors.map(({ code, message }) => `${code}: ${message}`)
      if (zkiMatches !== true) faults.push('its ZKI is not of its key')
      const fault = official && withRequest(requestXml, 'racuni', official)
      if (fault) faults.push(fault)
      if (xmlsec) {
        const path = join(scratch.dir, 'judged.xml')
        writeFileSync(path, requestXml)
        const told = spawnSync('xmlsec1', ['--verify', '--id-attr:Id', 'RacunZahtjev', ...trusted, path])
        if (told.status !== 0) faults.push(`xmlsec1: ${told.stderr}`)
      }
      return faults
    },
  }
}

/** @returns what asks the schema of the specification about a request: what is wrong with it, or nothing */
function faultBySchema(): (request: XmlElement) => string | undefined {
  const validator = officialSchema()
  return (request) => {
    try {
      validator.validate(request)
      return undefined
    } catch (error) {
      return `the official schema: ${error}`
    }
  }
}
