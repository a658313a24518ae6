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
      title: `A gateway has not been heard of (${facts.gateway})`,
      what:
        `The gateway ${facts.gateway} has not been heard of for more than 15 minutes. It may go on selling.` +
        (facts.number('without_jir') > 0
          ? ` It has sales that the tax authority has not confirmed: ${facts.number('without_jir')}. Their deadline is running.`
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
      title: `Two machines use the identity of one gateway (${gateway})`,
      what: `Two machines say that they are the gateway ${gateway}. Nothing is taken from either of them.`,
      todo: 'Have your technician switch one of them off and enrol the other one anew.',
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
      what: `Some of what the gateway ${gateway} sent could not be stored here. The gateway still has it.`,
      todo: 'Open the gateway on the page Gateways: it says which records were refused and why.',
    }),
  },
} satisfies Partial<WordsOfKinds>
