import { inBoth } from '../language.ts'
import { COMMAND_TEXTS } from './command-texts.ts'

export const texts = inBoth({
  ...COMMAND_TEXTS,
  title: { en: 'Gateways', hr: 'Pristupnici' },
  about: {
    en: 'A gateway is the computer at the devices that issues invoices and reports them to this server. The devices sell even when the server cannot be reached.',
    hr: 'Pristupnik je računalo uz uređaje: izdaje račune i dostavlja ih ovom poslužitelju. Uređaji prodaju i kad poslužitelj nije dostupan.',
  },
  add: { en: 'Add a gateway', hr: 'Dodaj pristupnik' },
  none: {
    en: 'There is no gateway yet. Add the first one, then use its token on the computer of the gateway.',
    hr: 'Još nema pristupnika. Dodajte prvi i na njegovu računalu upotrijebite dobiveni token.',
  },
  name: { en: 'Name', hr: 'Naziv' },
  state: { en: 'State', hr: 'Stanje' },
  states: {
    awaiting_token: { en: 'waiting for its first connection', hr: 'čeka prvo povezivanje' },
    connected: { en: 'connected', hr: 'povezan' },
    silent: { en: 'silent', hr: 'ne javlja se' },
    duplicated: { en: 'two computers', hr: 'javljaju se dva računala' },
    left: { en: 'disconnected', hr: 'veza raskinuta' },
    revoked: { en: 'revoked', hr: 'opozvan' },
  },
  sells: { en: 'Can sell', hr: 'Može prodavati' },
  notKnown: { en: 'not known', hr: 'nije poznato' },
  version: { en: 'Version', hr: 'Inačica' },
  queue: { en: 'Without JIR', hr: 'Bez JIR-a' },
  lacking: {
    en: (waiting: string, failed: string) => `${waiting} waiting, ${failed} refused`,
    hr: (waiting: string, failed: string) => `na čekanju: ${waiting}, odbijeno: ${failed}`,
  },
  unsent: { en: 'Not reported yet', hr: 'Još nije dostavljeno' },
  heard: { en: 'Last report', hr: 'Posljednje javljanje' },
  never: { en: 'never', hr: 'nikad' },
  alerts: { en: 'Alerts', hr: 'Upozorenja' },
  newTitle: { en: 'New gateway', hr: 'Novi pristupnik' },
  nameHint: {
    en: 'The name by which you recognise the gateway, such as “ilica-12”. Letters a-z and A-Z, digits, dots, hyphens and underscores.',
    hr: 'Naziv po kojem ćete prepoznati pristupnik, npr. „ilica-12”. Slova (bez č, ć, đ, š, ž), znamenke, točke, crtice i podvlake.',
  },
  make: { en: 'Add and show the token', hr: 'Dodaj i prikaži token' },
  tokenTitle: {
    en: (name: string) => `Token of the gateway ${name}`,
    hr: (name: string) => `Token za pristupnik ${name}`,
  },
  tokenOnce: {
    en: 'The token is shown only now, is valid for 24 hours, and can be used once.',
    hr: 'Token se prikazuje samo sada, vrijedi 24 sata i može se upotrijebiti jednom.',
  },
  tokenSteps: { en: 'On the computer of the gateway run:', hr: 'Na računalu pristupnika pokrenite:' },
  tokenReplaces: {
    en: 'A new computer or card in place of a broken one: on the new one run',
    hr: 'Novo računalo ili kartica umjesto pokvarenog: na novom pokrenite',
  },
  tokenKeeps: {
    en: 'The same computer, which still has its data: run on it',
    hr: 'Isto računalo, koje svoje podatke još ima: na njemu pokrenite',
  },
  tokenThen: {
    en: 'As soon as the gateway reports, the list says “connected”.',
    hr: 'Kad se pristupnik javi, na popisu će pisati „povezan”.',
  },
  tokenGone: {
    en: 'The token can no longer be shown. If you have not used it, make a new one on the page of the gateway.',
    hr: 'Token se više ne može prikazati. Ako ga niste upotrijebili, izradite novi na stranici pristupnika.',
  },
  toGateway: { en: 'To the page of the gateway', hr: 'Na stranicu pristupnika' },
  again: { en: 'New token', hr: 'Novi token' },
  againAbout: {
    en: 'For a computer or memory card that was replaced. Invoices and premises are kept. As soon as the new computer connects, the old one is refused.',
    hr: 'Kad se zamijeni računalo ili memorijska kartica. Računi i poslovni prostori ostaju, a čim se novo računalo poveže, staro se više ne prihvaća.',
  },
  againConfirm: {
    en: (name: string) =>
      `Make a new token for the gateway ${name}? An earlier token that was not used is then no longer valid.`,
    hr: (name: string) =>
      `Izraditi novi token za pristupnik ${name}? Prethodni neupotrijebljeni token prestaje vrijediti.`,
  },
  health: { en: 'Health', hr: 'Ispravnost' },
  noHeartbeat: {
    en: 'The gateway has not reported its state yet.',
    hr: 'Pristupnik još nije dostavio podatke o svojem stanju.',
  },
  reported: { en: (when: string) => `Reported ${when}.`, hr: (when: string) => `Podaci pristupnika od ${when}.` },
  enrolled: { en: 'Connected since', hr: 'Povezan od' },
  tokenUntil: { en: 'Token valid until', hr: 'Token vrijedi do' },
  premises: { en: 'Premises', hr: 'Poslovni prostori' },
  uptime: { en: 'Running for', hr: 'Radi bez prekida' },
  clock: { en: 'Clock', hr: 'Sat' },
  clockFine: { en: 'correct', hr: 'točan' },
  clockWrong: { en: 'cannot be relied on', hr: 'nije pouzdan' },
  disk: { en: 'Free disk space', hr: 'Slobodno na disku' },
  lastJir: { en: 'Last JIR', hr: 'Posljednji JIR' },
  oldest: { en: 'Oldest invoice without JIR', hr: 'Najstariji račun bez JIR-a' },
  printers: { en: 'Printers', hr: 'Pisači' },
  printerStates: {
    ready: { en: 'ready', hr: 'spreman' },
    offline: { en: 'does not print', hr: 'ne ispisuje' },
    silent: { en: 'does not answer', hr: 'ne odgovara' },
    lost: { en: 'not connected', hr: 'nije priključen' },
    unknown: { en: 'not known', hr: 'nije poznato' },
  },
  refused: { en: 'Refused records', hr: 'Odbijeni zapisi' },
  refusedAbout: {
    en: 'Records that the gateway sent and the server did not accept, or could not store. Those that are not listed here are listed at the gateway (fisk sync status). Show them to your technician.',
    hr: 'Zapisi koje je pristupnik dostavio, a poslužitelj nije prihvatio ili nije mogao spremiti. Oni kojih ovdje nema navedeni su na pristupniku (fisk sync status). Pokažite ih tehničaru.',
  },
  conflicts: { en: 'Duplicate data', hr: 'Podaci koji se ponavljaju' },
  conflictLabel: {
    en: (value: string) => `Several devices have the name “${value}”.`,
    hr: (value: string) => `Više uređaja ima naziv „${value}”.`,
  },
  conflictIsu: {
    en: (value: string) => `Several devices have the ISU number ${value}.`,
    hr: (value: string) => `Više uređaja ima ISU broj ${value}.`,
  },
  problems: { en: 'Problems', hr: 'Smetnje' },
  duplicated: {
    en: 'Two computers use the identity of this gateway, so no data are accepted from either. Switch one off, and make a new token for the other.',
    hr: 'Dva računala predstavljaju se kao ovaj pristupnik, pa se podaci ne primaju ni od jednog. Isključite jedno, a za drugo izradite novi token.',
  },
  silent: {
    en: 'The gateway is silent. Check whether it has power and an internet connection. If it sells, its data arrive when it reports again.',
    hr: 'Pristupnik se ne javlja. Provjerite ima li ondje struje i interneta. Ako prodaje, podaci će stići kad se opet javi.',
  },
  devices: { en: 'Devices', hr: 'Uređaji' },
  noDevices: {
    en: 'The gateway has not reported any device.',
    hr: 'Pristupnik nije dostavio podatke ni o jednom uređaju.',
  },
  device: { en: 'Device', hr: 'Uređaj' },
  premisesCode: { en: 'Premises', hr: 'Poslovni prostor' },
  isu: { en: 'ISU number', hr: 'ISU broj' },
  noIsu: { en: 'none', hr: 'nema' },
  moreDevices: { en: 'All devices', hr: 'Svi uređaji' },
  revoke: { en: 'Revoke the gateway', hr: 'Opozovi pristupnik' },
  revokeAbout: {
    en: 'From then on the gateway is refused: it can neither report invoices nor receive commands. What it has reported stays. Its computer may still be selling on its own.',
    hr: 'Pristupnik se nakon toga više ne prihvaća: ne može dostavljati račune ni primati naredbe. Već dostavljeni podaci ostaju. Računalo i dalje može samostalno prodavati.',
  },
  release: { en: 'Release its premises, too', hr: 'Oslobodi i njegove poslovne prostore' },
  releaseHint: {
    en: 'Only if the gateway no longer sells: otherwise two computers give out the same invoice numbers.',
    hr: 'Samo ako pristupnik više ne prodaje: inače dva računala dodjeljuju iste brojeve računa.',
  },
  revokeConfirm: {
    en: (name: string) => `Revoke the gateway ${name}? It can be connected again only with a new token.`,
    hr: (name: string) => `Opozvati pristupnik ${name}? Ponovno se može povezati samo novim tokenom.`,
  },
})

export type GatewayTexts = (typeof texts)['hr']
