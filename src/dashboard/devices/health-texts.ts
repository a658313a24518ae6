import { plural } from '../../domain/texts/plural.ts'
import { inBoth } from '../language.ts'
import { LOOK_AT_GATEWAY } from '../shared-texts.ts'

/** Whether a machine can sell, why not, what to do, and its paper. */
export const healthTexts = inBoth({
  can: {
    yes: { en: 'can sell', hr: 'može prodavati' },
    no: { en: 'cannot sell', hr: 'ne može prodavati' },
    unknown: { en: 'not known', hr: 'nije poznato' },
  },
  states: {
    'not-earning': { en: 'not earning', hr: 'ne zarađuje' },
    stopped: { en: 'stopped', hr: 'stao' },
    isu: { en: 'without a correct ISU number', hr: 'bez ispravnog ISU broja' },
    suspended: { en: 'suspended', hr: 'obustavljen' },
    unknown: { en: 'not known', hr: 'nije poznato' },
    sells: { en: 'selling', hr: 'prodaje' },
  },
  tabs: {
    'not-earning': { en: 'Not earning', hr: 'Ne zarađuju' },
    unknown: { en: 'Not known', hr: 'Nije poznato' },
  },
  stop: {
    device_suspended: { en: 'suspended', hr: 'obustavljen' },
    device_archived: { en: 'archived', hr: 'arhiviran' },
    isu_missing: { en: 'no ISU number', hr: 'nema ISU broj' },
    isu_mismatch: {
      en: 'the ISU number does not match ePorezna, so invoices get no JIR',
      hr: 'ISU broj ne odgovara prijavi u ePoreznoj, pa računi ne dobivaju JIR',
    },
    company_inactive: { en: 'the company is not active', hr: 'tvrtka nije aktivna' },
    certificate_missing: { en: 'the company has no certificate', hr: 'tvrtka nema certifikat' },
    certificate_revoked: { en: 'the certificate of the company was revoked', hr: 'certifikat tvrtke je opozvan' },
    certificate_of_other_oib: { en: 'the certificate was issued to another OIB', hr: 'certifikat glasi na drugi OIB' },
    certificate_early: {
      en: 'the certificate of the company is not valid yet',
      hr: 'certifikat tvrtke još ne vrijedi',
    },
    certificate_expired: { en: 'the certificate of the company has expired', hr: 'certifikat tvrtke je istekao' },
    certificate_untrusted: {
      en: 'the certificate does not match the mode of the company',
      hr: 'certifikat ne odgovara načinu rada tvrtke',
    },
    key_unreadable: {
      en: 'the private key of the certificate cannot be opened',
      hr: 'privatni ključ certifikata ne može se otvoriti',
    },
    numbers_used_up: { en: 'the invoice numbers are used up', hr: 'brojevi računa su iskorišteni' },
    sales_lost: { en: 'the database lacks issued invoices', hr: 'baza podataka nema već izdane račune' },
    disk_full: { en: 'the disk of this computer is full', hr: 'disk ovog računala je pun' },
    no_writes: { en: 'nothing can be stored in the database', hr: 'baza podataka ne prima zapise' },
    no_trust: { en: 'the tax authority’s certificates are missing', hr: 'nedostaju certifikati Porezne uprave' },
    gateway_stopped: { en: 'the gateway reports that it cannot sell', hr: 'na pristupniku prodaja nije moguća' },
  },
  atGateway: {
    en: 'Open the page of the gateway: it says why.',
    hr: 'Otvorite stranicu pristupnika: ondje piše zašto.',
  },
  unknown: {
    gateway_silent: {
      en: (since: string) => `the gateway has been silent since ${since}`,
      hr: (since: string) => `pristupnik se ne javlja od ${since}`,
    },
    gateway_duplicated: {
      en: () => 'two computers use the identity of the gateway',
      hr: () => 'dva računala predstavljaju se kao isti pristupnik',
    },
    gateway_unheard: { en: () => 'the gateway has not reported yet', hr: () => 'pristupnik se još nije javio' },
    gateway_left: { en: () => 'the gateway is disconnected', hr: () => 'veza s pristupnikom je raskinuta' },
  },
  unknownDo: {
    gateway_silent: {
      en: `${LOOK_AT_GATEWAY.en} The device may still be selling.`,
      hr: `${LOOK_AT_GATEWAY.hr} Uređaj možda i dalje prodaje.`,
    },
    gateway_duplicated: {
      en: 'Switch one of them off and connect the other one again.',
      hr: 'Isključite jedno od njih, a drugo ponovno povežite.',
    },
    gateway_unheard: LOOK_AT_GATEWAY,
    gateway_left: {
      en: 'Connect the gateway again if the device still sells; otherwise archive the device.',
      hr: 'Ako uređaj još prodaje, ponovno povežite pristupnik; inače arhivirajte uređaj.',
    },
  },
  papers: {
    ok: { en: 'has paper', hr: 'ima papira' },
    low: { en: 'paper low', hr: 'papir pri kraju' },
    out: { en: 'no paper', hr: 'nema papira' },
    fault: { en: 'printer fault', hr: 'pisač ne ispisuje' },
    unknown: { en: 'not known', hr: 'nije poznato' },
  },
  receiptsLeft: {
    en: (count: number) => `about ${count} ${count === 1 ? 'receipt' : 'receipts'} left`,
    hr: (count: number) => `za oko ${count} ${plural(count, 'račun', 'računa', 'računa')}`,
  },
})

export type HealthTexts = (typeof healthTexts)['hr']
