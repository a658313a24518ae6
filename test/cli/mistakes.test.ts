import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, realpathSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { beforeAll, expect, test } from 'vitest'
import { shellWord } from '../../src/domain/shell-word.ts'
import { atTheEndOfFile } from '../support/file-end.ts'
import { type Gateway, startEmptySharedGateway } from '../support/gateway.ts'
import { certificateOf, OIBS } from '../support/pki.ts'
import { FISK } from '../support/programs.ts'
import { standIn } from '../support/stand-in.ts'
import { makeTempDir } from '../support/temp-dir.ts'
import { skipWithout } from '../support/tools.ts'

const [OIB] = OIBS

interface Said {
  code: number
  out: string
}

let gateway: Gateway
let folder: string

/** A line typed at a terminal of 100 columns in the technician's folder; what it exports is kept in `kept` for the next one. */
async function type(line: string, kept: string): Promise<Said> {
  const script = join(folder, 'typed.sh')
  // Once, not with each line: what was forgotten stays so until it is exported.
  if (!existsSync(kept)) writeFileSync(kept, `export FISKD_DATA_DIR=${shellWord(gateway.dataDir)}\n`)
  writeFileSync(
    script,
    `stty cols 100\n. ${shellWord(kept)}\n${line}\ncode=$?\nexport -p > ${shellWord(kept)}\nexit $code\n`,
  )
  const env = {
    PATH: `${join(folder, '..')}:${process.env.PATH}`,
    TERM: 'dumb',
    FISKD_ENV_FILE: '/nowhere/fiskd.env',
    FISKD_LISTEN: '127.0.0.1:1',
  }
  const person = spawn('script', ['-qefc', 'sh typed.sh', '/dev/null'], { cwd: folder, env })
  let out = ''
  let answered = 0
  person.stdout.setEncoding('utf8').on('data', (text) => {
    out += stripVTControlCharacters(text)
    // Whoever typed the command has meant it.
    const asked = out.split('◆').length - 1
    if (asked > answered && /◆[^◆]*└/.test(out.slice(out.lastIndexOf('◆')))) {
      answered = asked
      person.stdin.write('y')
    }
  })
  const [code] = await once(person, 'close')
  return { code, out: out.replace(/\r/g, '') }
}

/** The command that the output ends with, as it is printed; a line that the terminal has broken is one line. */
function printedIn(out: string): string {
  const said = out.replace(/\n {2,}/g, ' ')
  const label = /(?:To (?:change|rename) it|name its folder|Fix|Next):[^\n]*?((?:sudo )?(?:fisk|export) .+?)(?:;|\n|$)/
  return label.exec(said)?.[1]?.trim() ?? ''
}

beforeAll(async () => {
  gateway = await startEmptySharedGateway()
  const place = realpathSync(await makeTempDir(atTheEndOfFile))
  folder = join(place, 'kupac č 1')
  mkdirSync(folder)
  standIn(place, 'fisk', `exec ${shellWord(process.execPath)} ${shellWord(FISK)} "$@"`)
  const { p12, passphrase } = await certificateOf(OIB)
  writeFileSync(join(folder, 'own.p12'), p12)
  writeFileSync(join(folder, 'own.txt'), passphrase)
  const seat = '--street "Ilica 1" --postal-code 10000 --city Zagreb'
  const machine = '--premises POSL1 --label "Kavomat 1" --address "Ilica 1" --isu 12345'
  const printer = '--printer-line usb:/dev/usb/lp77 --printer-profile generic --no-printer-test'
  const company = `--oib ${OIB} --name "Kava d.o.o." --mode test --vat-rate 25.00 ${seat}`
  const line = `fisk init ${company} --cert-file own.p12 --passphrase-file own.txt ${machine} ${printer} < /dev/null`
  const { code, out } = await type(line, join(folder, 'first.env'))
  expect(code, out).toBe(0)
})

/** The mistake; what is typed; what names the problem; typed again after the printed command, it ends with 0. */
const MISTAKES: [mistake: string, typed: string, named: RegExp][] = [
  ['another VAT rate on a second run', `fisk init --oib ${OIB} --vat-rate 13.00`, /Error: .*25\.00/],
  ['another name on a second run', `fisk init --oib ${OIB} --name "Kava d.d."`, /Error: .*Kava d\.o\.o\./],
  ['another street on a second run', `fisk init --oib ${OIB} --street "Vukovarska 1"`, /Error: .*registered otherwise/],
  ['another ISU number on a second run', `fisk init --oib ${OIB} --isu 999`, /Error: .*12345/],
  ['another printer on a second run', 'fisk init --printer-profile epson-tm-t20 --no-printer-test', /Error: .*printer/],
  [
    'another label on a second run',
    `fisk init --oib ${OIB} --premises POSL1 --label "Kavomat dva"`,
    /Error: .*Kavomat 1/,
  ],
  ['FISKD_DATA_DIR forgotten, init', 'fisk init', /would make another installation/],
]

test.skipIf(skipWithout('script')).each(MISTAKES)(
  '%s: what is said ends with a command that, typed as printed, mends it',
  async (mistake, typed, named) => {
    const kept = join(folder, `${mistake}.env`)
    if (mistake.startsWith('FISKD_DATA_DIR')) {
      writeFileSync(kept, `export FISKD_LISTEN=127.0.0.1:${new URL(gateway.url).port}\n`)
    }
    const wrong = await type(typed, kept)
    expect(wrong.code, wrong.out).toBe(1)
    expect(wrong.out.replace(/\n +/g, ' ')).toMatch(named)
    const command = printedIn(wrong.out)
    expect(command, wrong.out).not.toBe('')
    const mending = await type(command, kept)
    expect(mending.code, `${command}\n${mending.out}`).toBe(0)
    const again = await type(typed, kept)
    expect(again.code, `${command}\n${again.out}`).toBe(0)
  },
)
