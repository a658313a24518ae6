import { inBoth } from '../language.ts'
import { USER_TEXTS } from '../shared-texts.ts'

export const texts = inBoth({
  ...USER_TEXTS,
  title: { en: 'My account', hr: 'Moj profil' },
  you: { en: 'You are signed in as', hr: 'Prijavljeni ste kao' },
  data: { en: 'Language and e-mail', hr: 'Jezik i e-pošta' },
  languageLabel: { en: 'Language of pages and e-mails', hr: 'Jezik stranica i poruka' },
  emailHint: {
    en: 'Alerts are sent to this address, and a link when you forget your password.',
    hr: 'Na ovu adresu stižu upozorenja i poveznica za zaboravljenu lozinku.',
  },
  emailPasswordHint: { en: 'Needed only to change the e-mail address.', hr: 'Samo ako mijenjate adresu e-pošte.' },
  wantsMail: { en: 'Send alerts by e-mail', hr: 'Šalji mi upozorenja e-poštom' },
  mailsAbout: { en: 'About which companies', hr: 'O kojim tvrtkama' },
  reaches: {
    some: { en: 'Only chosen companies', hr: 'Samo odabrane tvrtke' },
    all: { en: 'All companies that I see', hr: 'Sve tvrtke koje vidim' },
  },
  mailsAll: {
    en: 'Alerts about all companies that you can see are sent.',
    hr: 'Stižu upozorenja o svim tvrtkama koje vidite.',
  },
  mailsSome: {
    en: 'Alerts about computers and gateways are then not sent.',
    hr: 'Upozorenja o računalima i pristupnicima tada ne stižu.',
  },
  oldPassword: { en: 'Current password', hr: 'Sadašnja lozinka' },
  passwordHint: {
    en: 'At least 12 characters. Changing it signs you out on all other devices.',
    hr: 'Najmanje 12 znakova. Nakon promjene odjavljujete se na svim drugim uređajima.',
  },
  changePassword: { en: 'Change the password', hr: 'Promijeni lozinku' },
  factor: { en: 'Second step of sign-in', hr: 'Drugi korak prijave' },
  factorAbout: {
    en: 'You then enter a code from your phone after the password. A person who knows only your password cannot sign in.',
    hr: 'Uz lozinku se upisuje i kod s telefona. Bez telefona se tada ne može prijaviti ni onaj tko zna lozinku.',
  },
  factorOn: {
    en: 'It is on: signing in asks for a code from your phone.',
    hr: 'Uključen je: pri prijavi se upisuje i kod s telefona.',
  },
  codesLeft: {
    en: (n: number) => `Recovery codes left: ${n}. Each replaces the code from the phone once.`,
    hr: (n: number) => `Preostalo rezervnih kodova: ${n}. Rezervni kod zamjenjuje telefon pri prijavi.`,
  },
  renewCodes: { en: 'Make new recovery codes', hr: 'Izradi nove rezervne kodove' },
  renewHint: { en: 'The earlier codes are then no longer valid.', hr: 'Dosadašnji kodovi tada više ne vrijede.' },
  codesTitle: { en: 'Recovery codes', hr: 'Rezervni kodovi' },
  codesOnce: {
    en: 'These codes are not shown again. Print them, or keep them in a safe place.',
    hr: 'Ovi se kodovi više neće prikazati. Ispišite ih ili spremite na sigurno mjesto.',
  },
  codesUse: {
    en: 'If you do not have your phone, enter one of them when you sign in, instead of the code from the app. Each works once.',
    hr: 'Ako nemate telefon, pri prijavi umjesto koda iz aplikacije upišite jedan od njih. Svaki vrijedi jednom.',
  },
  codesGone: {
    en: 'Recovery codes are shown only once, right after they are created. If you did not keep them, make new ones on the page My account.',
    hr: 'Rezervni kodovi prikazuju se samo neposredno nakon izrade. Ako ih niste spremili, izradite nove na stranici Moj profil.',
  },
  toAccount: { en: 'Back to My account', hr: 'Natrag na Moj profil' },
  setUp: { en: 'Set up the second step', hr: 'Uključi drugi korak' },
  remove: { en: 'Switch the second step off', hr: 'Isključi drugi korak' },
  confirmRemove: {
    en: 'Switch the second step off? The password alone is enough to sign in then.',
    hr: 'Isključiti drugi korak prijave? Za prijavu će biti dovoljna lozinka.',
  },
  elsewhere: { en: 'Other sign-ins', hr: 'Druge prijave' },
  elsewhereAbout: {
    en: 'If you signed in on another person’s computer, or lost your phone, sign out everywhere except on this device.',
    hr: 'Ako ste se prijavili na tuđem računalu ili izgubili telefon, ovdje se odjavite na svim drugim uređajima.',
  },
  signOutElsewhere: { en: 'Sign out on all other devices', hr: 'Odjavi me na svim drugim uređajima' },
  steps: {
    app: {
      en: 'Install an authenticator app on your phone, such as Google Authenticator, Microsoft Authenticator or Aegis.',
      hr: 'Na telefon instalirajte aplikaciju za provjeru autentičnosti, na primjer Google Authenticator, Microsoft Authenticator ili Aegis.',
    },
    scan: {
      en: 'Add an account in the app and scan this code.',
      hr: 'U aplikaciji dodajte novi unos i skenirajte ovaj kod.',
    },
    code: {
      en: 'Enter the 6-digit code that the app shows.',
      hr: 'Upišite kod od 6 znamenaka koji aplikacija pokazuje.',
    },
  },
  qr: { en: 'QR code for the app', hr: 'QR kod za aplikaciju' },
  byHand: {
    en: 'Cannot scan the code? Enter this key in the app:',
    hr: 'Ne možete skenirati kod? Upišite ovaj ključ u aplikaciju:',
  },
  code: { en: '6-digit code', hr: 'Kod od 6 znamenaka' },
  finish: { en: 'Switch the second step on', hr: 'Uključi drugi korak' },
  wrong: {
    ...USER_TEXTS.wrong,
    oldPassword: { en: 'The current password is wrong.', hr: 'Sadašnja lozinka nije točna.' },
    code: {
      en: 'The code is wrong. Wait for the next one, and check that the phone shows the right time.',
      hr: 'Kod nije točan. Pričekajte sljedeći i provjerite pokazuje li telefon točno vrijeme.',
    },
  },
})
