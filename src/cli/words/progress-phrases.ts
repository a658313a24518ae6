/** What a command waits for. */
export const PROGRESS_PHRASES: Readonly<Record<string, string>> = {
  Examining: 'Provjera',
  'Making the backup': 'Izrada sigurnosne kopije',
  'Writing the backup': 'Spremanje sigurnosne kopije',
  'Restoring the database': 'Vraćanje baze podataka',
  'Rehearsing on a copy of the database': 'Proba na kopiji baze podataka',
  'Printing a test page': 'Ispis probne stranice',
  'Collecting what the support needs': 'Prikupljanje podataka za podršku',
  'Asking the tax authority how it answers: half a minute at most ...':
    'Provjera kako odgovara Porezna uprava: najviše pola minute ...',
  'Downloading the CA certificates': 'Preuzimanje certifikata izdavatelja',
  'Enrolling at the central server': 'Prijava na središnji poslužitelj',
  'Sending it to the tax authority': 'Slanje Poreznoj upravi',
}
