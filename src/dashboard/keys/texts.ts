import { inBoth, plural } from '../language.ts'
import { MODE_NAMES } from '../shared-texts.ts'

export const texts = inBoth({
  ...MODE_NAMES,
  title: { en: 'API keys', hr: 'API ključevi' },
  about: {
    en:
      'With an API key a device or another program proves that it may issue invoices. Give each device or program a key of ' +
      'its own: you can then revoke one, and the others continue to work.',
    hr:
      'API ključem uređaj ili drugi program dokazuje da smije izdavati račune. Neka svaki uređaj ili program ima svoj ključ: ' +
      'tada se jedan može opozvati, a ostali rade i dalje.',
  },
  add: { en: 'New key', hr: 'Novi ključ' },
  none: {
    en: 'There are no keys yet. Make the first one, so that devices can sell.',
    hr: 'Još nema ključeva. Izradite prvi da bi uređaji mogli prodavati.',
  },
  state: { en: 'State', hr: 'Stanje' },
  used: { en: 'in use', hr: 'u uporabi' },
  revokedOnes: { en: 'revoked', hr: 'opozvani' },
  name: { en: 'Name', hr: 'Naziv' },
  nameless: { en: 'without a name', hr: 'bez naziva' },
  mode: { en: 'Mode', hr: 'Način rada' },
  may: { en: 'What it may do', hr: 'Što smije' },
  device: { en: 'Device', hr: 'Uređaj' },
  anyDevice: { en: 'all devices', hr: 'svi uređaji' },
  created: { en: 'Created', hr: 'Izrađen' },
  revoked: { en: 'Revoked', hr: 'Opozvan' },
  revoke: { en: 'Revoke', hr: 'Opozovi' },
  revokeWhich: { en: (name: string) => `Revoke the key ${name}`, hr: (name: string) => `Opozovi ključ ${name}` },
  confirm: {
    en: (name: string) =>
      `Revoke the key “${name}”? The device or program that uses it stops working at once, and this cannot be undone.`,
    hr: (name: string) =>
      `Opozvati ključ „${name}”? Uređaj ili program koji ga koristi odmah prestaje raditi, a ključ se više ne može vratiti.`,
  },
  scopes: {
    'invoices:write': { en: 'issues invoices and sends them again', hr: 'izdaje račune i ponovno ih šalje' },
    'invoices:read': { en: 'views invoices', hr: 'pregledava račune' },
    'fleet:read': { en: 'views companies and devices', hr: 'pregledava tvrtke i uređaje' },
    'fleet:write': { en: 'adds and changes companies and devices', hr: 'dodaje i mijenja tvrtke i uređaje' },
    'certificates:write': { en: 'uploads certificates', hr: 'učitava certifikate' },
    sync: { en: 'for future use', hr: 'za buduću uporabu' },
  },
  newTitle: { en: 'New API key', hr: 'Novi API ključ' },
  nameHint: {
    en: 'The name by which you recognise the key, for example “Devices in Ilica street”.',
    hr: 'Po njemu ćete ga kasnije prepoznati, na primjer „Automati Ilica”.',
  },
  modeHint: {
    en: 'A test mode key works only for companies in test mode, a live mode key only for companies in live mode.',
    hr: 'Ključ za testni rad vrijedi samo za tvrtke u testnom radu, ključ za stvarni rad samo za ostale.',
  },
  testHint: { en: 'For testing: invoices are not real.', hr: 'Za isprobavanje: računi nisu pravi.' },
  liveHint: {
    en: 'Invoices are real and are reported to the tax authority.',
    hr: 'Računi su pravi i šalju se Poreznoj upravi.',
  },
  usual: {
    en: 'The first two are enough for a device to sell.',
    hr: 'Za prodaju na uređaju dovoljne su prve dvije ovlasti.',
  },
  deviceLabel: { en: 'For one device only', hr: 'Samo za jedan uređaj' },
  deviceHint: {
    en: 'Enter the name of a device if the key is for that device only. Leave it empty for all devices.',
    hr: 'Upišite naziv uređaja ako ključ smije prodavati samo na njemu. Prazno: svi uređaji.',
  },
  make: { en: 'Make the key', hr: 'Izradi ključ' },
  wrong: {
    name: { en: 'Enter a name of at most 200 characters.', hr: 'Upišite naziv od najviše 200 znakova.' },
    mode: { en: 'Choose a mode.', hr: 'Odaberite način rada.' },
    scopes: { en: 'Choose at least one permission.', hr: 'Odaberite barem jednu ovlast.' },
    fleetWide: {
      en: 'A key for one device can have only these permissions: issue invoices, view invoices, view companies and devices.',
      hr: 'Ključ za jedan uređaj smije samo izdavati i pregledavati račune te pregledavati tvrtke i uređaje.',
    },
    device: {
      en: 'There is no device of that name in the chosen mode.',
      hr: 'Nema uređaja s tim nazivom u odabranom načinu rada.',
    },
    manyDevices: {
      en: (n: number) => `${n} devices have that name. Enter the ID of the device (device_id) instead.`,
      hr: (n: number) =>
        `${n} ${plural(n, 'uređaj ima', 'uređaja imaju', 'uređaja ima')} taj naziv. Umjesto naziva upišite oznaku uređaja (device_id).`,
    },
  },
  madeTitle: { en: 'The key has been created', hr: 'Ključ je izrađen' },
  onlyNow: {
    en: 'Copy the key now and keep it in a safe place. It cannot be shown again later.',
    hr: 'Kopirajte ključ sada i spremite ga na sigurno mjesto. Kasnije se više ne može prikazati.',
  },
  keyIs: { en: 'API key', hr: 'API ključ' },
  whatNext: {
    en: 'Enter it in the settings of the device or program that will use it. Do not send it by e-mail.',
    hr: 'Upišite ga u postavke uređaja ili programa koji će ga koristiti. Ne šaljite ga e-poštom.',
  },
  done: { en: 'I have saved the key', hr: 'Ključ je spremljen, gotovo' },
  goneTitle: { en: 'The key cannot be shown any more', hr: 'Ključ se više ne može prikazati' },
  gone: {
    en: 'A key is shown only once, right after it is created. If you did not keep it, revoke it and make a new one.',
    hr: 'Ključ se prikazuje samo odmah nakon izrade. Ako ga niste spremili, opozovite ga i izradite novi.',
  },
  toList: { en: 'To the list of keys', hr: 'Na popis ključeva' },
})
