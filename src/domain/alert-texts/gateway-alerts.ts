import type { WordsOfKinds } from './alert-facts.ts'

/** Gateways of a central server. */
export const gatewayWords = {
  gateway_silent: {
    hr: (facts) => ({
      title: `Pristupnik se ne javlja (${facts.gateway})`,
      what:
        `Pristupnik ${facts.gateway} ne javlja se dulje od 15 minuta. Možda i dalje prodaje.` +
        (facts.number('without_jir') > 0
          ? ` Računi tog pristupnika koje Porezna uprava još nije potvrdila: ${facts.number('without_jir')}. Rok za njihovu dostavu teče.`
          : ''),
      todo: 'Provjerite je li pristupnik uključen i radi li internetska veza.',
    }),
    en: (facts) => ({
      title: `A gateway is silent (${facts.gateway})`,
      what:
        `The gateway ${facts.gateway} has not reported for more than 15 minutes. It may still be selling.` +
        (facts.number('without_jir') > 0
          ? ` Its invoices without a JIR: ${facts.number('without_jir')}. The deadline to deliver them continues to run.`
          : ''),
      todo: 'Check that it is switched on and that its internet connection works.',
    }),
  },
  gateway_duplicated: {
    hr: ({ gateway }) => ({
      title: `Dva računala predstavljaju se kao isti pristupnik (${gateway})`,
      what: `Dva se računala predstavljaju kao pristupnik ${gateway}. Podaci se ne primaju ni od jednog.`,
      todo: 'Zamolite tehničara da jedno isključi, a drugo ponovno prijavi.',
    }),
    en: ({ gateway }) => ({
      title: `Two computers use the identity of one gateway (${gateway})`,
      what: `Two computers use the identity of the gateway ${gateway}. No data are accepted from either of them.`,
      todo: 'Have your technician switch one of them off and enrol the other one again.',
    }),
  },
  sync_refused: {
    hr: ({ gateway }) => ({
      title: `Zapisi pristupnika su odbijeni (${gateway})`,
      what: `Dio podataka koje je poslao pristupnik ${gateway} ovdje se nije mogao spremiti. Na pristupniku su ti podaci sačuvani.`,
      todo: 'Otvorite taj pristupnik na stranici Pristupnici: ondje piše koji su zapisi odbijeni i zašto.',
    }),
    en: ({ gateway }) => ({
      title: `Records of a gateway were refused (${gateway})`,
      what: `Some records that the gateway ${gateway} sent were not accepted by this server. The gateway still has them.`,
      todo: 'Open the gateway on the page Gateways to see which records were refused and why.',
    }),
  },
} satisfies Partial<WordsOfKinds>
