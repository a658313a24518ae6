import { type Check, failure, warning } from '../../domain/check.ts'
import { alike, together } from '../../domain/texts/both.ts'
import type { Context } from '../context.ts'
import {
  type SequenceAhead,
  type SequenceEnding,
  sequencesAhead,
  sequencesEnding,
} from '../numbering/current-sequences.ts'
import type { Issued } from '../numbering/lost-sales.ts'
import type { Behind } from '../ports/rows/issued.ts'
import { few, type HealthCheck, orFine, sequenceName } from './doctor.ts'

const NAME = { en: 'counting', hr: 'numeracija računa' }
const RECORD = { en: 'issued sales', hr: 'izdani računi' }
const RECORD_FIX = {
  en: 'look at the disk (dmesg), and at who changes files in the data directory',
  hr: 'pregledajte disk (dmesg) i provjerite tko mijenja datoteke u podatkovnoj mapi',
}

/** So many lost sales are named one by one. */
const NAMED = 20

/** Whether every premises has receipt numbers left, and which supplied numbers are far ahead. */
export function numberChecks({ store, clock, issued }: Context & { issued: Issued }): HealthCheck[] {
  async function examine(): Promise<Check[]> {
    const now = clock.now()
    const ending = await sequencesEnding(store, now)
    const ahead = await sequencesAhead(store, now)
    const checks = [
      ...(ending.length > 0 ? [endingCheck(ending)] : []),
      ...(ahead.length > 0 ? [aheadCheck(ahead)] : []),
    ]
    return orFine(checks, NAME, {
      en: 'every premises has numbers left, and none was supplied far ahead',
      hr: 'svaki poslovni prostor ima slobodnih brojeva, a nijedan uređaj nije poslao prevelik broj',
    })
  }

  async function compare(): Promise<Check[]> {
    await issued.compare()
    const checks = issued.lost().map(lostCheck)
    const problem = issued.problem()
    if (problem !== null) {
      const about = { en: 'the record of issued sales', hr: 'zapis o izdanim računima' }
      checks.push(warning(RECORD, together`${about}: ${problem}`, RECORD_FIX))
    }
    return orFine(checks, RECORD, {
      en: 'the database holds the latest sale of every premises',
      hr: 'baza podataka ima posljednji račun svakog poslovnog prostora',
    })
  }
  return [
    { name: NAME, run: examine },
    { name: RECORD, run: compare },
  ]
}

function lostCheck({ premisesCode, sales }: Behind): Check {
  const named = sales
    .slice(-NAMED)
    .map(({ number, zki, jir }) => `${number} (ZKI ${zki}, JIR ${jir ?? '-'})`)
    .join(', ')
  const more = sales.length - NAMED
  const others = more > 0 ? { en: ` and ${more} more`, hr: ` i još ${more}` } : alike('')
  const detail = {
    en: `the database lacks sales of premises ${premisesCode} that were issued, so nothing is sold there: ${named}${others.en}`,
    hr: `baza podataka nema već izdane račune poslovnog prostora ${premisesCode}, pa ondje prodaja nije moguća: ${named}${others.hr}`,
  }
  return failure(RECORD, detail, {
    en: 'restore a newer copy of the database: fisk restore FILE; or go on above these numbers: fisk numbers skip-lost OIB PREMISES',
    hr:
      'vratite noviju kopiju baze podataka: fisk restore FILE; ili nastavite iznad tih brojeva: fisk ' +
      'numbers skip-lost OIB PREMISES',
  })
}

function endingCheck(ending: readonly SequenceEnding[]): Check {
  const said = ending.map(({ sequence, left, highest }) =>
    left <= 0n
      ? {
          en: `${sequenceName(sequence)}: used up, so it cannot sell`,
          hr: `${sequenceName(sequence)}: iskorišteni su, pa prodaja nije moguća`,
        }
      : {
          en: `${sequenceName(sequence)}: after ${highest} only ${left} are left`,
          hr: `${sequenceName(sequence)}: nakon broja ${highest} preostalo je još ${left}`,
        },
  )
  return failure(NAME, few(said), {
    en: 'have it count on from where it was: fisk numbers heal OIB PREMISES',
    hr: 'nastavite numeraciju ondje gdje je stalo: fisk numbers heal OIB PREMISES',
  })
}

function aheadCheck(ahead: readonly SequenceAhead[]): Check {
  const said = ahead.map(({ sequence, count, latest: { number, invoiceId } }) => {
    const which = `${sequenceName(sequence)}: ${number}`
    const more = count === 1 ? alike('') : { en: ` and ${count - 1} more`, hr: ` i još ${count - 1}` }
    return {
      en: `${which}${invoiceId ? ` of ${invoiceId}` : ''}${more.en}`,
      hr: `${which}${invoiceId ? ` (${invoiceId})` : ''}${more.hr}`,
    }
  })
  const detail = {
    en: `a caller supplied a number far ahead, which counting does not follow: ${few(said).en}`,
    hr: `uređaj je poslao prevelik broj, koji numeracija preskače: ${few(said).hr}`,
  }
  return warning(NAME, detail, {
    en: 'find out why the machine sends such numbers; if nobody can explain it, revoke its API key: fisk key revoke ID',
    hr:
      'utvrdite zašto uređaj šalje takve brojeve; ako to nitko ne može objasniti, opozovite njegov API ' +
      'ključ: fisk key revoke ID',
  })
}
