import { inBoth } from '../language.ts'
import { MAIL_TEXTS, USER_TEXTS } from '../shared-texts.ts'

export const texts = inBoth({
  ...USER_TEXTS,
  ...MAIL_TEXTS,
  title: { en: 'Users', hr: 'Korisnici' },
  about: {
    en: 'Who may sign in to these pages, and who gets alerts by e-mail.',
    hr: 'Tko se smije prijaviti na ove stranice i komu stižu upozorenja e-poštom.',
  },
  add: { en: 'New user with a password', hr: 'Novi korisnik s lozinkom' },
  invite: { en: 'Invite a user', hr: 'Pozovi korisnika' },
  inviteTitle: { en: 'Invite a user', hr: 'Poziv novom korisniku' },
  inviteAbout: {
    en: 'The user gets a link by e-mail and sets a password with it. The link is valid for 7 days.',
    hr: 'Korisnik e-poštom dobiva poveznicu koja vrijedi 7 dana i sam postavlja lozinku.',
  },
  noMail: {
    en: 'No mail server is set up. The link to set the password is shown once: hand it over to the user.',
    hr: 'Slanje e-pošte nije postavljeno. Poveznica za postavljanje lozinke prikazuje se samo jednom: predajte je korisniku.',
  },
  inviteHint: {
    en: 'This address is also the user name. Alerts are sent to it later.',
    hr: 'Adresa je ujedno korisničko ime. Na nju kasnije stižu i upozorenja.',
  },
  invited: { en: 'invited', hr: 'pozvan' },
  invitation: { en: 'Invitation', hr: 'Poziv' },
  invitedHint: { en: 'The user has not set a password yet.', hr: 'Korisnik još nije postavio lozinku.' },
  noLink: { en: 'No link is valid any more.', hr: 'Nijedna poveznica više ne vrijedi.' },
  linkUntil: {
    en: (time: string) => `The link is valid until ${time}.`,
    hr: (time: string) => `Poveznica vrijedi do ${time}.`,
  },
  linkExpired: {
    en: (time: string) => `The link was valid until ${time}.`,
    hr: (time: string) => `Poveznica je vrijedila do ${time}.`,
  },
  linkHint: {
    en: (address: string) =>
      `A link to set the password is sent to ${address}. The earlier link is then no longer valid.`,
    hr: (address: string) => `Poveznica za postavljanje lozinke šalje se na ${address}. Ranija više ne vrijedi.`,
  },
  linkByHand: {
    en: 'No mail server is set up, or the user has no address. The link is shown once: hand it over to the user.',
    hr: 'Slanje e-pošte nije postavljeno ili korisnik nema adresu. Poveznica se prikazuje samo jednom: predajte je korisniku.',
  },
  sendLink: { en: 'Send the link', hr: 'Pošalji poveznicu' },
  makeLink: { en: 'Make a link', hr: 'Izradi poveznicu' },
  linkTitle: { en: (name: string) => `Link for ${name}`, hr: (name: string) => `Poveznica za korisnika ${name}` },
  linkOnce: {
    en: 'This link is not shown again. Hand it over in person: anyone who opens it can set the password.',
    hr: 'Ova se poveznica više neće prikazati. Predajte je korisniku osobno: tko je otvori, može postaviti lozinku.',
  },
  linkGone: {
    en: 'The link is shown only once, right after it is created. If it was not handed over, make a new one.',
    hr: 'Poveznica se prikazuje samo neposredno nakon izrade. Ako nije predana, izradite novu.',
  },
  toUser: { en: 'Back to the user', hr: 'Natrag na korisnika' },
  withdraw: { en: 'Withdraw the invitation', hr: 'Povuci poziv' },
  withdrawHint: {
    en: 'The link is no longer valid, and the user is removed.',
    hr: 'Poveznica više ne vrijedi, a korisnik se uklanja.',
  },
  confirmWithdraw: {
    en: (name: string) => `Withdraw the invitation for ${name}?`,
    hr: (name: string) => `Povući poziv korisniku ${name}?`,
  },
  letters: {
    invitation: {
      subject: { en: 'Your invitation to the dashboard', hr: 'Poziv na nadzornu ploču' },
      about: {
        en: (name: string, by: string) => `${by} gives you access to devices and invoices. Your user name: ${name}`,
        hr: (name: string, by: string) => `${by} daje Vam pristup uređajima i računima. Korisničko ime: ${name}`,
      },
      open: { en: 'Set your password on this page:', hr: 'Lozinku postavite na ovoj stranici:' },
      unexpected: {
        en: 'If you did not expect this e-mail, ignore it.',
        hr: 'Ako niste očekivali ovu poruku, zanemarite je.',
      },
    },
    reset: {
      subject: { en: 'A new password for fiskd', hr: 'Nova lozinka za fiskd' },
      about: {
        en: (name: string) => `A new password was requested for the fiskd dashboard. User name: ${name}`,
        hr: (name: string) => `Zatražena je nova lozinka za nadzornu ploču fiskd. Korisničko ime: ${name}`,
      },
      open: { en: 'Set the new password on this page:', hr: 'Novu lozinku postavite na ovoj stranici:' },
      unexpected: {
        en: 'If you did not ask for it, ignore this e-mail: the current password stays valid.',
        hr: 'Ako je niste zatražili, zanemarite ovu poruku: sadašnja lozinka i dalje vrijedi.',
      },
    },
    until: {
      en: (time: string) => `The link is valid until ${time} and can be used once.`,
      hr: (time: string) => `Poveznica vrijedi do ${time} i može se iskoristiti samo jednom.`,
    },
  },
  name: { en: 'User name', hr: 'Korisničko ime' },
  roleHints: {
    viewer: { en: 'sees everything, changes nothing', hr: 'sve vidi, ništa ne mijenja' },
    operator: {
      en: 'also sends invoices again, edits devices, acknowledges alerts',
      hr: 'uz to ponovno šalje račune, uređuje uređaje i prima upozorenja na znanje',
    },
    admin: {
      en: 'also uploads certificates, edits companies, keys and users',
      hr: 'uz to učitava certifikate te uređuje tvrtke, ključeve i korisnike',
    },
  },
  platformAdmin: { en: 'sees all organisations', hr: 'vidi sve organizacije' },
  platformAdminHint: {
    en: 'Only the command fisk on the server can grant this.',
    hr: 'Ta se ovlast može dodijeliti samo naredbom fisk na poslužitelju.',
  },
  reach: { en: 'Companies the user sees', hr: 'Tvrtke koje vidi' },
  reaches: {
    some: { en: 'Only chosen companies', hr: 'Samo odabrane tvrtke' },
    all: { en: 'All companies, and later ones', hr: 'Sve tvrtke, i buduće' },
  },
  reachAll: {
    en: 'Will see all companies, and each one that is added later.',
    hr: 'Vidjet će sve tvrtke i svaku koja se doda poslije.',
  },
  reachSome: {
    en: 'Does not see users, keys, gateways and the audit log.',
    hr: 'Korisnike, ključeve, pristupnike i dnevnik radnji ne vidi.',
  },
  willSee: { en: 'Will see the ticked companies', hr: 'Vidjet će označene tvrtke' },
  noEmail: { en: 'none', hr: 'nema' },
  wantsMail: { en: 'Send alerts by e-mail', hr: 'Šalji upozorenja e-poštom' },
  mailed: { en: 'gets alerts', hr: 'stižu upozorenja' },
  notMailed: { en: 'gets no alerts', hr: 'ne stižu upozorenja' },
  languageLabel: { en: 'Language', hr: 'Jezik' },
  secondFactor: { en: 'Second step of sign-in', hr: 'Drugi korak prijave' },
  on: { en: 'on', hr: 'uključen' },
  off: { en: 'off', hr: 'isključen' },
  you: { en: 'this is you', hr: 'to ste Vi' },
  newTitle: { en: 'New user', hr: 'Novi korisnik' },
  nameHint: {
    en: 'The user signs in with it, for example “ana” or an e-mail address. It cannot be changed later.',
    hr: 'Njime se korisnik prijavljuje, na primjer „ana” ili adresa e-pošte. Kasnije se ne može promijeniti.',
  },
  emailHint: { en: 'For alerts. May stay empty.', hr: 'Za upozorenja. Može ostati prazno.' },
  passwordHint: {
    en: 'At least 12 characters. Hand it over in person; the user can change it later.',
    hr: 'Najmanje 12 znakova. Predajte je korisniku osobno; može je kasnije sam promijeniti.',
  },
  make: { en: 'Add the user', hr: 'Dodaj korisnika' },
  data: { en: 'Details', hr: 'Podaci' },
  locked: { en: 'If the user cannot sign in', hr: 'Ne može se prijaviti?' },
  resetPassword: { en: 'Set a new password', hr: 'Postavi novu lozinku' },
  resetHint: {
    en: 'The user is signed out everywhere at once and signs in with the new password.',
    hr: 'Korisnik se odmah odjavljuje na svim uređajima, a zatim se prijavljuje novom lozinkom.',
  },
  resetFactor: { en: 'Remove the second step of sign-in', hr: 'Isključi drugi korak prijave' },
  resetFactorHint: {
    en: 'For a user who has lost the phone. The password alone is then enough to sign in, until the user sets up the second step again.',
    hr: 'Ako je korisnik izgubio telefon. Nakon toga prijavljuje se samo lozinkom i može ponovno uključiti drugi korak.',
  },
  confirmFactor: {
    en: (name: string) => `Remove the second step of sign-in for ${name}?`,
    hr: (name: string) => `Isključiti drugi korak prijave korisnika ${name}?`,
  },
  notHere: {
    en: 'Only the command fisk on the server changes or removes this user.',
    hr: 'Ovog korisnika mijenja i uklanja samo naredba fisk na poslužitelju.',
  },
  remove: { en: 'Remove the user', hr: 'Ukloni korisnika' },
  removeHint: {
    en: 'The user is signed out at once and cannot sign in any more. The actions of this user stay in the audit log.',
    hr: 'Korisnik se odmah odjavljuje i više se ne može prijaviti. Ono što je radio ostaje u dnevniku radnji.',
  },
  confirmRemove: {
    en: (name: string) => `Remove the user ${name}? This cannot be undone.`,
    hr: (name: string) => `Ukloniti korisnika ${name}? To se ne može poništiti.`,
  },
  notYourself: {
    en: 'You cannot remove yourself. Another administrator can.',
    hr: 'Sebe ne možete ukloniti. To može učiniti drugi administrator.',
  },
  ownAccount: {
    en: 'You can change your own e-mail address, password and second step of sign-in on the page',
    hr: 'Svoju adresu e-pošte, lozinku i drugi korak prijave mijenjate na stranici',
  },
  wrong: {
    ...USER_TEXTS.wrong,
    name: {
      en: 'Enter a name of at most 200 characters, without spaces.',
      hr: 'Upišite korisničko ime od najviše 200 znakova, bez razmaka.',
    },
    taken: {
      en: 'There is a user of that name already. Choose another one.',
      hr: 'Već postoji korisnik s tim korisničkim imenom. Odaberite drugo.',
    },
    role: { en: 'Choose a role.', hr: 'Odaberite ulogu.' },
    last: {
      en: 'The last administrator cannot be removed or get another role.',
      hr: 'Posljednji administrator mora ostati.',
    },
    ownRole: { en: 'You cannot change your own role.', hr: 'Vlastita uloga ne može se promijeniti.' },
    ownEmail: {
      en: 'You can change your own e-mail address on the page My account.',
      hr: 'Svoju adresu e-pošte mijenjate na stranici Moj profil.',
    },
  },
})
