import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, realpathSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { shellWord } from '../../src/domain/shell-word.ts'
import { atTheEndOfFile } from './file-end.ts'
import { PATIENCE_MS } from './patience.ts'
import { FISK, FISKD } from './programs.ts'
import { standIn } from './stand-in.ts'
import { makeTempDir } from './temp-dir.ts'

export interface Said {
  code: number
  out: string
}

/** A technician at a terminal of 100 columns, with `fisk` and `fiskd` to type, in a folder that is named as people name them. */
export interface Terminal {
  folder: string
  /**
   * Types a line. What it exports is kept under `name` for the next line of that name.
   * @param answers what is typed at the questions, one after another; the rest are answered with yes
   */
  type(line: string, name: string, answers?: readonly string[]): Promise<Said>
  /** What stands in the environment before the first line of a name. */
  begin(name: string, variables: Record<string, string>): void
}

export async function openTerminal(): Promise<Terminal> {
  const place = realpathSync(await makeTempDir(atTheEndOfFile))
  const folder = join(place, 'kupac č 1')
  mkdirSync(folder)
  for (const [name, program] of Object.entries({ fisk: FISK, fiskd: FISKD }))
    standIn(place, name, `exec ${shellWord(process.execPath)} ${shellWord(program)} "$@"`)
  const env = {
    PATH: `${place}:${process.env.PATH}`,
    TERM: 'dumb',
    FISKD_ENV_FILE: '/nowhere/fiskd.env',
    FISKD_LISTEN: '127.0.0.1:1',
  }
  const keptOf = (name: string) => join(place, `${name.replaceAll('/', ' ')}.env`)

  return {
    folder,
    begin(name, variables) {
      const lines = Object.entries(variables).map(([key, value]) => `export ${key}=${shellWord(value)}\n`)
      if (!existsSync(keptOf(name))) writeFileSync(keptOf(name), lines.join(''))
    },
    async type(line, name, answers = []) {
      const kept = shellWord(keptOf(name))
      const script = `stty cols 100\n. ${kept}\n${line}\ncode=$?\nexport -p > ${kept}\nexit $code\n`
      writeFileSync(join(place, 'typed.sh'), script)
      const person = spawn('script', ['-qefc', `sh ${shellWord(join(place, 'typed.sh'))}`, '/dev/null'], {
        cwd: folder,
        env,
        timeout: PATIENCE_MS,
        killSignal: 'SIGKILL',
      })
      let out = ''
      let answered = 0
      person.stdout.setEncoding('utf8').on('data', (text) => {
        out += stripVTControlCharacters(text)
        const asked = out.split('◆').length - 1
        if (asked <= answered || !/◆[^◆]*└/.test(out.slice(out.lastIndexOf('◆')))) return
        // Whoever typed the command has meant it.
        person.stdin.write(answers[answered] ?? 'y')
        answered = asked
      })
      const [code] = await once(person, 'close')
      return { code, out: out.replace(/\r/g, '') }
    },
  }
}

/** What introduces the command that mends a mistake, and the command. */
const LABEL = /(?:Fix|Next|what to do):[^\n]*?((?:sudo )?\b(?:fisk|export|kill) [^\n]+?)(?:;|\n|$)/g

/** The command that the output ends with, as it is printed; a line that the terminal has broken is one line. */
export function printedIn(out: string): string {
  const said = out.replace(/^ {2}what to do/gm, 'what to do').replace(/\n {2,}/g, ' ')
  return [...said.matchAll(LABEL)].at(-1)?.[1]?.trim() ?? ''
}
