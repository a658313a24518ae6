import { promisify } from 'node:util'
import { gunzip, inflate, inflateRaw } from 'node:zlib'
import { CIS_BOUNDS } from '../bounds.ts'
import type { Failure } from './network-failure.ts'

const [unzip, unpackZlib, unpackRaw] = [promisify(gunzip), promisify(inflate), promisify(inflateRaw)]

/** A body as it was signed: proxies compress it. Rejects with a `Failure`, also beyond the limit of an answer. */
export async function unpacked(body: Buffer, encoding = 'identity'): Promise<Buffer> {
  const name = encoding.trim().toLowerCase()
  if (name === 'identity' || name === '' || body.length === 0) return body
  const bound = { maxOutputLength: CIS_BOUNDS.answer.most }
  try {
    if (name === 'gzip' || name === 'x-gzip') return await unzip(body, bound)
    // Some programs leave out the header of zlib, whose lower four bits are 8 (RFC 9110, 8.4.1.2).
    if (name === 'deflate') return await ((body[0] ?? 0) % 16 === 8 ? unpackZlib : unpackRaw)(body, bound)
  } catch (error) {
    const { code } = error as Failure
    if (code === 'ERR_BUFFER_TOO_LARGE') throw Object.assign(new Error(code), { code: 'ANSWER_TOO_LARGE' })
    const why = code ?? 'unknown'
    throw refusal(`it is not ${name}, or not whole (${why})`, `nije ${name} ili nije cijel (${why})`)
  }
  const shown = name.slice(0, 40).replace(/[^\w,; .=*-]/g, '?')
  throw refusal(`"${shown}" is not read; nobody asked for it`, `„${shown}” se ne čita, a nije ni zatražen`)
}

function refusal(en: string, hr: string): Failure {
  const said = {
    en: `a proxy has compressed the answer, and it cannot be unpacked: ${en}`,
    hr: `proxy je sažeo odgovor, a on se ne može raspakirati: ${hr}`,
  }
  return Object.assign(new Error(said.en), { said })
}
