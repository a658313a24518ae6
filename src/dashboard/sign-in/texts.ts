import { inBoth } from '../language.ts'
import { USER_TEXTS } from '../shared-texts.ts'

export const texts = inBoth({
  title: { en: 'Sign in', hr: 'Prijava' },
  name: { en: 'User name', hr: 'Korisničko ime' },
  password: { en: 'Password', hr: 'Lozinka' },
  submit: { en: 'Sign in', hr: 'Prijavi se' },
  wrong: { en: 'The name or the password is wrong.', hr: 'Korisničko ime ili lozinka nisu točni.' },
  forgotten: { en: 'Forgot your password?', hr: 'Zaboravili ste lozinku?' },
  adminHelps: { en: 'An administrator can set a new one.', hr: 'Administrator može postaviti novu.' },
  forgottenAbout: {
    en: 'A link for a new password is sent to the e-mail address of your account.',
    hr: 'Poveznica za novu lozinku šalje se na adresu e-pošte iz Vašeg profila.',
  },
  sendLink: { en: 'Send the link', hr: 'Pošalji poveznicu' },
  asked: {
    en: 'If there is a user with this name and an e-mail address, the link has been sent. It is valid for one hour.',
    hr: 'Ako postoji korisnik s tim korisničkim imenom i adresom e-pošte, poveznica je poslana. Vrijedi jedan sat.',
  },
  askedHelp: {
    en: 'No e-mail? You can ask again in ten minutes. An administrator can also set a password for you.',
    hr: 'Poruka nije stigla? Nova se može zatražiti za deset minuta, a lozinku može postaviti i administrator.',
  },
  toSignIn: { en: 'Back to the sign-in', hr: 'Natrag na prijavu' },
  setTitle: { en: 'Set your password', hr: 'Postavljanje lozinke' },
  newPassword: { en: 'New password', hr: 'Nova lozinka' },
  passwordHint: { en: 'At least 12 characters.', hr: 'Najmanje 12 znakova.' },
  setPassword: { en: 'Set the password', hr: 'Postavi lozinku' },
  wrongPassword: USER_TEXTS.wrong.password,
  goneTitle: { en: 'The link is not valid', hr: 'Poveznica ne vrijedi' },
  linkGone: {
    en: 'This link has already been used, has expired, or was replaced by a newer one.',
    hr: 'Ova je poveznica iskorištena, istekla ili zamijenjena novijom.',
  },
  linkGoneForgotten: {
    en: 'Request a new link. If you were invited and have no password yet, ask an administrator for a new link.',
    hr: 'Zatražite novu, a ako ste tek pozvani, obratite se administratoru.',
  },
  codeTitle: { en: 'Code from your app', hr: 'Kod iz aplikacije' },
  code: { en: '6-digit code', hr: 'Kod od 6 znamenaka' },
  codeHint: {
    en: 'Open the authenticator app on your phone and copy the code for fiskd.',
    hr: 'Otvorite aplikaciju za provjeru autentičnosti na telefonu i prepišite kod za fiskd.',
  },
  wrongCode: {
    en: 'The code is wrong or was used already. Wait for the next one, and check the clock of the phone.',
    hr: 'Kod nije točan ili je već iskorišten. Pričekajte sljedeći i provjerite pokazuje li telefon točno vrijeme.',
  },
  noPhone: { en: 'No access to your phone?', hr: 'Nemate telefon?' },
  recovery: { en: 'Recovery code', hr: 'Rezervni kod' },
  recoveryHint: {
    en: 'One of the recovery codes that you got when you set up the second step of sign-in.',
    hr: 'Jedan od kodova koje ste spremili pri uključivanju drugog koraka prijave.',
  },
  codeLost: {
    en: 'No recovery code either? An administrator can remove the second step.',
    hr: 'Nemate ni rezervni kod? Administrator može isključiti drugi korak prijave.',
  },
  codeTooLate: {
    en: 'The code was entered too late, or was wrong too often. Sign in again.',
    hr: 'Kod nije upisan na vrijeme ili je previše puta bio pogrešan. Prijavite se ispočetka.',
  },
  endedText: {
    en: 'Sign in again. What you typed is not lost: after signing in you can send it once more.',
    hr: 'Prijavite se ponovno. Ono što ste upisali nije izgubljeno: nakon prijave možete ga poslati još jednom.',
  },
  endedFile: {
    en: 'Files have to be chosen again, and passwords typed again.',
    hr: 'Datoteke treba ponovno odabrati, a lozinke ponovno upisati.',
  },
  resendTitle: { en: 'You are signed in', hr: 'Prijavljeni ste' },
  resendText: {
    en: 'This is what you typed before your session ended. It has not been sent yet.',
    hr: 'Ovo ste upisali prije nego što je prijava istekla. Još nije poslano.',
  },
  resend: { en: 'Send it now', hr: 'Pošalji sada' },
  discard: { en: 'Do not send it', hr: 'Ne šalji' },
})
