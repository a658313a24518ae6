import type { Both } from '../texts/both.ts'

/** What can be told of working hours before they are sent (docs/spec/cis.md, Working hours). */
export type HoursCode = keyof typeof HOURS_CODES

/** Sentences without capital and full stop. */
export const HOURS_CODES = {
  s103: {
    en: 'regular hours must begin tomorrow at the earliest, and 44 days from today at the latest',
    hr: 'redovno radno vrijeme mora početi najranije sutra, a najkasnije za 44 dana',
  },
  s104: {
    en: 'regular hours of one message must begin at least one day apart',
    hr: 'redovna radna vremena u jednoj poruci moraju početi u razmaku od barem jednog dana',
  },
  s105: {
    en: 'the same day stands twice among the regular hours',
    hr: 'isti se dan dvaput navodi u redovnom radnom vremenu',
  },
  s106: {
    en: 'split hours must have both parts on at least one day',
    hr: 'dvokratno radno vrijeme mora barem jednog dana imati oba dijela',
  },
  s108: {
    en: 'an exception must lie between today and two months from today',
    hr: 'iznimka mora biti između današnjeg dana i dana za dva mjeseca',
  },
  s109: { en: 'the same day stands twice among the exceptions', hr: 'isti se dan dvaput navodi u iznimkama' },
  s112: {
    en: 'hours must end at least one minute after they begin',
    hr: 'radno vrijeme mora završiti barem jednu minutu nakon početka',
  },
  s113: {
    en: 'the second part of split hours must begin at least one minute after the first has ended',
    hr: 'drugi dio dvokratnog radnog vremena mora početi barem jednu minutu nakon kraja prvoga',
  },
  s114: {
    en: 'the first part of split hours must end at 23:59 at the latest',
    hr: 'prvi dio dvokratnog radnog vremena mora završiti najkasnije u 23:59',
  },
  s115: {
    en: 'hours must begin at 23:59 at the latest',
    hr: 'jednokratno radno vrijeme mora početi najkasnije u 23:59',
  },
  s116: {
    en: 'the second part of split hours must begin at midnight at the latest',
    hr: 'drugi dio dvokratnog radnog vremena mora početi najkasnije u ponoć',
  },
  s117: {
    en: 'the exception of the day before has not ended when this one begins',
    hr: 'iznimka prethodnog dana nije završila kad ova počinje',
  },
  s121: { en: 'the OIB of the operator is not one', hr: 'OIB operatera nije ispravan' },
  s123: { en: 'there are no hours in it', hr: 'radno vrijeme nije navedeno' },
  s124: {
    en: 'regular hours have no end of their own: they count until others follow',
    hr: 'redovno radno vrijeme nema datum završetka: vrijedi dok ne počne drugo',
  },
} as const satisfies Record<string, Both>
