/** Entries of the table of devices for the steps of a device until its first sale. */
export const STEP_TEXTS = {
  company: { en: 'The company is ready', hr: 'Pripremite tvrtku' },
  companyDone: {
    en: 'The company is active and has a valid certificate.',
    hr: 'Tvrtka je aktivna i ima valjan certifikat.',
  },
  companyOff: {
    en: 'The company is not active, so its devices cannot sell.',
    hr: 'Tvrtka nije aktivna, pa njezini uređaji ne mogu prodavati.',
  },
  companyNoCertificate: {
    en: 'The company has no certificate. Upload one on the page of the company.',
    hr: 'Tvrtka nema certifikat. Učitajte ga na stranici tvrtke.',
  },
  companyExpired: {
    en: 'The certificate of the company has expired. Upload a new one on the page of the company.',
    hr: 'Certifikat tvrtke je istekao. Učitajte novi na stranici tvrtke.',
  },
  report: { en: 'Register the device in ePorezna', hr: 'Prijavite uređaj u ePoreznoj' },
  reportDone: { en: 'The device is registered: its number is entered.', hr: 'Uređaj je prijavljen: broj je upisan.' },
  reportHow: {
    en: 'Open ePorezna and register the device as a premises, with these data:',
    hr: 'Otvorite ePoreznu i prijavite uređaj kao poslovni prostor, s ovim podacima:',
  },
  noAddress: { en: 'not entered; add it to the data of the device', hr: 'nije upisana; dodajte je u podatke uređaja' },
  enter: { en: 'Enter the ISU number', hr: 'Upišite ISU broj' },
  enterDone: { en: (isu: string) => `The number ${isu} is entered.`, hr: (isu: string) => `Upisan je broj ${isu}.` },
  enterHow: {
    en: 'Copy the number that the tax authority issued for this device. The device can sell as soon as you save it.',
    hr: 'Prepišite broj koji je Porezna uprava dodijelila ovom uređaju. Čim ga spremite, uređaj može prodavati.',
  },
  active: { en: 'Activate the device', hr: 'Aktivirajte uređaj' },
  activeDone: { en: 'The device is active.', hr: 'Uređaj je aktivan.' },
  suspended: {
    en: 'The device is suspended and cannot sell. Activate it when it should sell again.',
    hr: 'Uređaj je obustavljen i ne može prodavati. Aktivirajte ga kad opet treba prodavati.',
  },
  archived: { en: 'The device is archived and cannot sell.', hr: 'Uređaj je arhiviran i ne može prodavati.' },
  first: { en: 'First sale', hr: 'Prva prodaja' },
  firstDone: {
    en: (when: string) => `Last invoice with JIR: ${when}.`,
    hr: (when: string) => `Posljednji račun s JIR-om: ${when}.`,
  },
  firstHow: {
    en: 'Make a sale on the device. When its invoice gets a JIR, the set-up is done.',
    hr: 'Obavite jednu prodaju na uređaju. Kad račun dobije JIR, postavljanje je dovršeno.',
  },
  done: { en: 'done', hr: 'gotovo' },
  now: { en: 'to do', hr: 'na redu' },
  later: { en: 'later', hr: 'kasnije' },
  wrong: { en: 'to be corrected', hr: 'treba ispraviti' },
}
