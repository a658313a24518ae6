import { execFileSync, spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { tempDir } from '../../support/temp-dir.ts'

/** Debian's xmlsec1, an implementation of XML signatures that shares no code with this one. */
const available = spawnSync('xmlsec1', ['--version']).status === 0

/** Whether tests that need xmlsec1 are skipped; where tools are required, they run and fail instead. */
export const skipWithoutXmlsec = !available && process.env.FISKD_REQUIRE_TOOLS !== '1'

/**
 * Whether xmlsec1 believes the signature of a document, by the certificate in it and a chain to these authorities.
 * @param at a moment in UTC, `YYYY-MM-DD HH:MM:SS`; now when it is left out
 */
export async function xmlsecBelieves(
  xml: string,
  signed: string,
  authorities: string[],
  at?: string,
): Promise<boolean> {
  const dir = await tempDir()
  const files = [xml, ...authorities].map((text, i) => {
    const path = join(dir, `${i}`)
    writeFileSync(path, text)
    return path
  })
  const [document = '', ...pems] = files
  const trusted = pems.flatMap((pem) => ['--trusted-pem', pem])
  const time = at === undefined ? [] : ['--verification-gmt-time', at]
  const result = spawnSync('xmlsec1', ['--verify', ...time, '--id-attr:Id', signed, ...trusted, document])
  return result.status === 0
}

/** Lets xmlsec1 fill in a signature template. */
export async function xmlsecSign(template: string, signed: string, signer: { keyPem: string; certPem: string }) {
  const dir = await tempDir()
  const path = (name: string, text: string) => {
    writeFileSync(join(dir, name), text)
    return join(dir, name)
  }
  const key = `${path('key.pem', signer.keyPem)},${path('certificate.pem', signer.certPem)}`
  const args = ['--sign', '--privkey-pem', key, '--id-attr:Id', signed, path('template.xml', template)]
  return execFileSync('xmlsec1', args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] })
}
