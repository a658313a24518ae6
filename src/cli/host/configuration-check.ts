import { readFileSync, statSync } from 'node:fs'
import type { StatusView } from '../../contract/admin/status.ts'
import { type Check, failure, fine, skipped, warning } from '../../domain/check.ts'
import { alike, type Both, joined } from '../../domain/texts/both.ts'
import { environmentFilePath, lineOfVariable, startedWith } from '../machine/environment-file.ts'
import { judgeConfiguration } from '../machine/fiskd-program.ts'
import type { Around } from './system.ts'

/** Meant as one of ours, and no assignment: systemd passes over it. */
const NO_ASSIGNMENT =
  /^[ \t]*(?:export[ \t]+)?(?:FISKD|RATE_LIMIT)_(?!\w*[ \t]*=)|^[ \t]*export[ \t]+(?:FISKD|RATE_LIMIT)_/

/** [] without the file. @param running what the daemon says of itself, also which variables it has not understood */
export async function configurationCheck(io: Around, running: StatusView | null): Promise<Check[]> {
  const name = { en: 'environment file', hr: 'datoteka s varijablama' }
  const path = environmentFilePath(io.env)
  let text: string
  try {
    text = readFileSync(path, 'utf8')
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOENT') return []
    const unread = { en: `you may not read ${path}`, hr: `nemate pravo čitati ${path}` }
    if (code === 'EACCES') return [skipped(name, unread, alike('sudo fisk doctor'))]
    const fix = {
      en: `make it a file that root can read: ${path}`,
      hr: `to mora biti datoteka koju root može čitati: ${path}`,
    }
    return [failure(name, { en: `${path} cannot be read: ${code}`, hr: `${path} ne može se pročitati: ${code}` }, fix)]
  }
  const { problems, unknown, absent } = await judgeConfiguration(io, startedWith(io.env, text))
  const fix = {
    en: `correct ${path}, then: sudo systemctl restart fiskd`,
    hr: `ispravite ${path}, a zatim: sudo systemctl restart fiskd`,
  }
  if (problems.length > 0)
    return [failure(name, joined(problems.map((problem) => withLine(text, alike(problem)))), fix)]
  const odd = [
    ...(running ? [] : unknown).map((variable) =>
      withLine(text, { en: `${variable} is not a variable of fiskd`, hr: `${variable} nije varijabla programa fiskd` }),
    ),
    ...text
      .split('\n')
      .flatMap((line, at) =>
        NO_ASSIGNMENT.test(line)
          ? [{ en: `line ${at + 1} is not NAME=value`, hr: `redak ${at + 1} nije u obliku NAZIV=vrijednost` }]
          : [],
      ),
  ]
  if (odd.length > 0) {
    const which = joined(odd)
    return [warning(name, { en: `${which.en}: it has no effect`, hr: `${which.hr} i nema učinka` }, fix)]
  }
  // A daemon that runs reports these by itself, too.
  if (!running && absent.length > 0) {
    const detail = {
      en: `this machine does not have ${absent.join(' and ')} of FISKD_LISTEN now`,
      hr: `ovo računalo sada nema ${absent.join(' i ')} iz FISKD_LISTEN`,
    }
    return [
      warning(name, detail, {
        en: 'check its network cable, or choose another one: sudo fisk init --listen ADDRESS',
        hr: 'provjerite mrežni kabel ili odaberite drugu adresu: sudo fisk init --listen ADDRESS',
      }),
    ]
  }
  if (running && statSync(path).mtimeMs > Date.now() - running.uptime_s * 1000) {
    const detail = {
      en: `${path} was changed after fiskd had started`,
      hr: `${path} izmijenjena je nakon pokretanja programa fiskd`,
    }
    return [warning(name, detail, alike('sudo systemctl restart fiskd'))]
  }
  return [fine(name, { en: `${path} is right`, hr: `${path} je ispravna` })]
}

/** What is wrong with a variable, which the problem begins with, and where it stands. */
function withLine(text: string, problem: Both): Both {
  const line = lineOfVariable(text, /^\w+/.exec(problem.en)?.[0] ?? '')
  return line === null ? problem : { en: `line ${line}: ${problem.en}`, hr: `redak ${line}: ${problem.hr}` }
}
